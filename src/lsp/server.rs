//! The loop: messages in, answers and diagnostics out.

use super::actions;
use super::complete::Completion;
use super::navigate::Names;
use super::outline;
use super::position::{Places, Unit};
use super::protocol::{Failure, at, capabilities, folder, read_params, to_value};
use super::transport::{self, Incoming};
use super::worker::{Done, Job, Worker};
use super::workspace::{Workspace, file_of, path_of};
use super::{Problem, Rules, diagnostics, hover, symbols};
use crate::contract::Contract;
use gen_lsp_types as lsp;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::{BTreeSet, VecDeque};
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// How long after a change a check begins: long enough for what an editor sends at once, short enough not to be felt.
const PAUSE: Duration = Duration::from_millis(8);

/// What wakes the loop.
enum Event {
    Incoming(Incoming),
    Closed,
    Done(Done),
}

struct Server<W> {
    output: W,
    workspace: Option<Workspace>,
    /// What the client can do, as it says.
    client: Value,
    jobs: Sender<Job>,
    /// Messages that arrived and wait for their turn.
    queue: VecDeque<Message>,
    /// Requests that wait for a check of the present text.
    waiting: Vec<Request>,
    /// When the next check begins.
    due: Option<Instant>,
    checking: bool,
    /// Files of settings with diagnostics.
    complaints: BTreeSet<String>,
    requests_sent: i32,
    shut_down: bool,
    /// The exit code, once the client has said goodbye.
    exit: Option<u8>,
}

/// Serves one client until it says goodbye; the answer is the exit code: 0 after a shutdown, 1 otherwise.
///
/// # Errors
/// When the output is gone.
pub fn serve(rules: Box<dyn Rules>, input: impl BufRead + Send + 'static, output: impl Write) -> io::Result<u8> {
    let (events, inbox) = mpsc::channel();
    let (jobs, work) = mpsc::channel();
    let done = events.clone();
    thread::spawn(move || read(input, &events));
    thread::spawn(move || work_off(Worker::new(rules), &work, &done));
    let mut server = Server {
        output,
        workspace: None,
        client: Value::Null,
        jobs,
        queue: VecDeque::new(),
        waiting: Vec::new(),
        due: None,
        checking: false,
        complaints: BTreeSet::new(),
        requests_sent: 0,
        shut_down: false,
        exit: None,
    };
    server.run(&inbox)
}

fn read(mut input: impl BufRead, events: &Sender<Event>) {
    loop {
        let event = match transport::read(&mut input) {
            Ok(Some(incoming)) => Event::Incoming(incoming),
            Ok(None) | Err(_) => Event::Closed,
        };
        let closed = matches!(event, Event::Closed);
        if events.send(event).is_err() || closed {
            return;
        }
    }
}

fn work_off(mut worker: Worker, jobs: &Receiver<Job>, events: &Sender<Event>) {
    for job in jobs {
        if let Some(done) = worker.run(job)
            && events.send(Event::Done(done)).is_err()
        {
            return;
        }
    }
}

impl<W: Write> Server<W> {
    fn run(&mut self, inbox: &Receiver<Event>) -> io::Result<u8> {
        loop {
            let patience = match self.due.filter(|_| !self.checking) {
                Some(due) => due.saturating_duration_since(Instant::now()),
                None => Duration::from_secs(3600),
            };
            if let Ok(event) = inbox.recv_timeout(patience) {
                self.take(event)?;
            }
            loop {
                // A cancellation overtakes the request that it means.
                while let Ok(event) = inbox.try_recv() {
                    self.take(event)?;
                }
                let Some(message) = self.queue.pop_front() else { break };
                self.handle(message)?;
                if let Some(code) = self.exit {
                    return Ok(code);
                }
            }
            if let Some(code) = self.exit {
                return Ok(code);
            }
            self.check();
        }
    }

    fn take(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Closed => self.exit = Some(1),
            Event::Incoming(Incoming::Malformed(answer)) => transport::write(&mut self.output, &answer)?,
            Event::Incoming(Incoming::Message(Message::Notification(note))) if note.method == "$/cancelRequest" => {
                self.cancel(&note)?;
            }
            Event::Incoming(Incoming::Message(message)) => self.queue.push_back(message),
            Event::Done(done) => self.done(done)?,
        }
        Ok(())
    }

    fn cancel(&mut self, note: &Notification) -> io::Result<()> {
        let Some(id) = note.params.get("id").and_then(|id| serde_json::from_value::<RequestId>(id.clone()).ok()) else {
            return Ok(());
        };
        let queued = self.queue.iter().position(|one| matches!(one, Message::Request(request) if request.id == id));
        let waiting = self.waiting.iter().position(|request| request.id == id);
        if let Some(at) = queued {
            self.queue.remove(at);
        } else if let Some(at) = waiting {
            self.waiting.remove(at);
        } else {
            return Ok(());
        }
        self.answer(&id, Err((ErrorCode::RequestCanceled, "the client cancelled the request".to_owned())))
    }

    fn handle(&mut self, message: Message) -> io::Result<()> {
        match message {
            Message::Request(request) => self.request(request),
            Message::Notification(note) => {
                let method = note.method.clone();
                if catch_unwind(AssertUnwindSafe(|| self.notification(note))).is_err() {
                    self.log(&format!("{method} failed: this is a defect of sandbox-lint"))?;
                }
                Ok(())
            }
            Message::Response(_) => Ok(()),
        }
    }

    fn request(&mut self, request: Request) -> io::Result<()> {
        if self.must_wait(&request) {
            self.waiting.push(request);
            return Ok(());
        }
        let id = request.id.clone();
        let outcome = match request.method.as_str() {
            _ if self.shut_down => Err((ErrorCode::InvalidRequest, "the server is shut down".to_owned())),
            "initialize" if self.workspace.is_some() => {
                Err((ErrorCode::InvalidRequest, "already initialized".to_owned()))
            }
            "initialize" => Ok(self.initialize(request.params)),
            _ if self.workspace.is_none() => {
                Err((ErrorCode::ServerNotInitialized, "initialize comes first".to_owned()))
            }
            "shutdown" => {
                self.shut_down = true;
                Ok(Value::Null)
            }
            _ => catch_unwind(AssertUnwindSafe(|| self.ask(&request))).unwrap_or_else(|_| {
                Err((ErrorCode::InternalError, format!("{} failed: this is a defect of sandbox-lint", request.method)))
            }),
        };
        self.answer(&id, outcome)
    }

    /// Actions are made of findings: they wait for those of the present text.
    fn must_wait(&self, request: &Request) -> bool {
        let uri = request.params.pointer("/textDocument/uri").and_then(Value::as_str);
        let (Some(workspace), Some(uri)) = (&self.workspace, uri) else { return false };
        let uri = lsp::Uri(uri.to_owned());
        request.method == "textDocument/codeAction"
            && !self.shut_down
            && (self.checking || self.due.is_some())
            && workspace.document(&uri).is_some()
            && !workspace.is_current(&uri)
    }

    fn ask(&self, request: &Request) -> Result<Value, Failure> {
        let Some(workspace) = &self.workspace else { return Ok(Value::Null) };
        let params = &request.params;
        match request.method.as_str() {
            "textDocument/hover" => {
                let params: lsp::HoverParams = read_params(params)?;
                Ok(to_value(self.hover(workspace, &params.text_document_position_params)))
            }
            "textDocument/completion" => {
                let params: lsp::CompletionParams = read_params(params)?;
                Ok(to_value(self.completion(workspace, &params.text_document_position_params)))
            }
            "textDocument/definition" => {
                let params: lsp::DefinitionParams = read_params(params)?;
                let place = params.text_document_position_params;
                let found =
                    at(workspace, &place).map(|(path, at)| Names::of(workspace).definition(workspace, &path, at));
                Ok(to_value(found))
            }
            "textDocument/references" => {
                let params: lsp::ReferenceParams = read_params(params)?;
                let with_declaration = params.context.include_declaration;
                let found = at(workspace, &params.text_document_position_params)
                    .map(|(path, at)| Names::of(workspace).references(workspace, &path, at, with_declaration));
                Ok(to_value(found))
            }
            "textDocument/documentSymbol" => {
                let params: lsp::DocumentSymbolParams = read_params(params)?;
                let found = workspace.document(&params.text_document.uri).map(|document| {
                    let places = Places::new(&document.text, workspace.unit);
                    symbols::symbols(&places, &outline::outlines(&document.text))
                });
                Ok(to_value(found))
            }
            "textDocument/codeAction" => {
                let params: lsp::CodeActionParams = read_params(params)?;
                Ok(to_value(actions::actions(workspace, &params)))
            }
            other => Err((ErrorCode::MethodNotFound, format!("no method {other}"))),
        }
    }

    fn contract(workspace: &Workspace) -> Arc<Contract> {
        let checked = workspace.checked.as_ref();
        checked.map_or_else(|| Arc::new(Contract::builtin()), |checked| Arc::clone(&checked.contract))
    }

    fn hover(&self, workspace: &Workspace, place: &lsp::TextDocumentPositionParams) -> Option<lsp::Hover> {
        let document = workspace.document(&place.text_document.uri)?;
        let places = Places::new(&document.text, workspace.unit);
        let at = places.offset(place.position);
        let outlines = outline::outlines(&document.text);
        let here = outlines.iter().find(|outline| outline.at(at).is_some())?;
        let file = workspace.file(&path_of(&place.text_document.uri));
        let checked = workspace.checked.as_ref().map(|checked| (checked, file));
        let (value, range) = hover::hover(here, at, checked, &Self::contract(workspace))?;
        let contents = lsp::MarkupContent { kind: lsp::MarkupKind::Markdown, value };
        Some(lsp::Hover { contents: lsp::Contents::MarkupContent(contents), range: Some(places.range(range)) })
    }

    fn completion(
        &self,
        workspace: &Workspace,
        place: &lsp::TextDocumentPositionParams,
    ) -> Option<Vec<lsp::CompletionItem>> {
        let document = workspace.document(&place.text_document.uri)?;
        let places = Places::new(&document.text, workspace.unit);
        let snippets = "/textDocument/completion/completionItem/snippetSupport";
        let completion = Completion {
            text: &document.text,
            places: &places,
            contract: &Self::contract(workspace),
            names: &Names::of(workspace),
            snippets: self.client.pointer(snippets) == Some(&Value::Bool(true)),
        };
        Some(completion.items(places.offset(place.position)))
    }

    fn notification(&mut self, note: Notification) {
        let params = note.params;
        match note.method.as_str() {
            "exit" => self.exit = Some(u8::from(!self.shut_down)),
            "initialized" => self.watch(),
            "textDocument/didOpen" => {
                if let (Some(workspace), Ok(params)) =
                    (&mut self.workspace, read_params::<lsp::DidOpenTextDocumentParams>(&params))
                {
                    let one = params.text_document;
                    workspace.opened(one.uri, one.version, &one.text);
                    self.due.get_or_insert_with(Instant::now);
                }
            }
            "textDocument/didChange" => {
                if let (Some(workspace), Ok(params)) =
                    (&mut self.workspace, read_params::<lsp::DidChangeTextDocumentParams>(&params))
                {
                    let one = params.text_document;
                    workspace.changed(&one.text_document_identifier.uri, one.version, params.content_changes);
                    self.due = Some(Instant::now() + PAUSE);
                }
            }
            "textDocument/didClose" => self.closed(&params),
            "textDocument/didSave" => {
                let uri = params.pointer("/textDocument/uri").and_then(Value::as_str).unwrap_or_default();
                self.on_disk(file_of(&lsp::Uri(uri.to_owned())).into_iter().collect());
            }
            "workspace/didChangeWatchedFiles" => {
                let changes = params.get("changes").and_then(Value::as_array).cloned().unwrap_or_default();
                let uris = changes.iter().filter_map(|change| change.get("uri")?.as_str());
                self.on_disk(uris.filter_map(|uri| file_of(&lsp::Uri(uri.to_owned()))).collect());
            }
            "workspace/didChangeWorkspaceFolders" => self.folders(&params),
            "workspace/didChangeConfiguration" => {
                let folders = self.workspace.as_ref().map(|workspace| workspace.folders.clone());
                folders.into_iter().for_each(|folders| self.job(Job::Folders(folders)));
            }
            _ => {}
        }
    }

    /// What is closed counts as it is on the disk; its diagnostics go.
    fn closed(&mut self, params: &Value) {
        let uri = params.pointer("/textDocument/uri").and_then(Value::as_str).unwrap_or_default();
        let uri = lsp::Uri(uri.to_owned());
        let Some(workspace) = &mut self.workspace else { return };
        if workspace.open.remove(&path_of(&uri)).is_some() {
            self.publish(&uri, None, &[]);
            self.on_disk(file_of(&uri).into_iter().collect());
        }
    }

    fn on_disk(&mut self, files: Vec<PathBuf>) {
        self.job(Job::Changed(files));
    }

    fn folders(&mut self, params: &Value) {
        let Some(workspace) = &mut self.workspace else { return };
        let of = |list: &str| {
            let list = params.pointer(list).and_then(Value::as_array).cloned().unwrap_or_default();
            list.iter().filter_map(folder).collect::<Vec<PathBuf>>()
        };
        let (added, removed) = (of("/event/added"), of("/event/removed"));
        workspace.folders.retain(|folder| !removed.contains(folder));
        workspace.folders.extend(added);
        let folders = workspace.folders.clone();
        self.job(Job::Folders(folders));
    }

    /// Hands a job to the worker; a check follows.
    fn job(&mut self, job: Job) {
        // A worker that is gone ends with the process.
        let _ = self.jobs.send(job);
        self.due = Some(Instant::now() + PAUSE);
    }

    fn check(&mut self) {
        let due = self.due.is_some_and(|due| due <= Instant::now());
        let Some(workspace) = self.workspace.as_ref().filter(|_| due && !self.checking) else { return };
        self.due = None;
        self.checking = self.jobs.send(Job::Check(workspace.texts())).is_ok();
    }

    fn done(&mut self, done: Done) -> io::Result<()> {
        // A job that failed is no check that ended.
        self.checking = false;
        let Some(workspace) = &mut self.workspace else { return Ok(()) };
        match done {
            Done::Checked(checked) => {
                let all = diagnostics::of_open_files(workspace, &checked);
                workspace.checked = Some(checked);
                for one in all {
                    self.notify("textDocument/publishDiagnostics", &one)?;
                }
                for path in std::mem::take(&mut self.complaints) {
                    let uri = self.workspace.as_ref().map(|workspace| workspace.uri(&path));
                    uri.into_iter().for_each(|uri| self.publish(&uri, None, &[]));
                }
            }
            Done::Settings(problems) => self.complain(&problems)?,
            Done::Failed => self.log("a check failed: this is a defect of sandbox-lint; the diagnostics are older")?,
        }
        if self.due.is_none() {
            let waiting: Vec<Message> = self.waiting.drain(..).map(Message::Request).collect();
            waiting.into_iter().rev().for_each(|message| self.queue.push_front(message));
        }
        Ok(())
    }

    /// Shows what is wrong in files of settings; the diagnostics of manifests stay.
    fn complain(&mut self, problems: &[Problem]) -> io::Result<()> {
        let Some(workspace) = &self.workspace else { return Ok(()) };
        let mut paths: BTreeSet<String> = self.complaints.clone();
        paths.extend(problems.iter().filter_map(|problem| problem.path.clone()));
        let mut notes = Vec::new();
        for path in &paths {
            let text = match workspace.open.get(path) {
                Some(document) => document.text.to_string(),
                None => std::fs::read_to_string(path).unwrap_or_default(),
            };
            let of = problems.iter().filter(|problem| problem.path.as_ref() == Some(path));
            let list: Vec<_> = of.map(|problem| diagnostics::of_settings(&text, workspace, problem)).collect();
            notes.push((workspace.uri(path), list));
        }
        for (uri, list) in notes {
            self.publish(&uri, None, &list);
        }
        self.complaints = problems.iter().filter_map(|problem| problem.path.clone()).collect();
        for problem in problems.iter().filter(|problem| problem.path.is_none()) {
            let message = crate::escape::block(&problem.message).into_owned();
            self.notify("window/showMessage", &json!({"type": 1, "message": format!("sandbox-lint: {message}")}))?;
        }
        Ok(())
    }

    fn initialize(&mut self, mut params: Value) -> Value {
        let list = params.pointer("/capabilities/general/positionEncodings").and_then(Value::as_array);
        let unit = Unit::negotiate(list.into_iter().flatten().filter_map(Value::as_str));
        let mut folders: Vec<PathBuf> =
            params.get("workspaceFolders").and_then(Value::as_array).into_iter().flatten().filter_map(folder).collect();
        if folders.is_empty() {
            let root = params.get("rootUri").and_then(Value::as_str).map(|uri| lsp::Uri(uri.to_owned()));
            let old = params.get("rootPath").and_then(Value::as_str).map(PathBuf::from);
            folders.extend(root.and_then(|uri| file_of(&uri)).or(old));
        }
        self.client = params.get_mut("capabilities").map(Value::take).unwrap_or_default();
        self.job(Job::Folders(folders.clone()));
        self.workspace = Some(Workspace::new(unit, folders));
        json!({
            "capabilities": capabilities(unit),
            "serverInfo": {"name": "sandbox-lint", "version": env!("CARGO_PKG_VERSION")},
        })
    }

    /// Asks the client to say when files change, where it can.
    fn watch(&mut self) {
        let dynamic = "/workspace/didChangeWatchedFiles/dynamicRegistration";
        if self.client.pointer(dynamic) != Some(&Value::Bool(true)) {
            return;
        }
        self.requests_sent += 1;
        let watchers: Vec<Value> = ["**/*.{yaml,yml,json}", "**/.gitignore", "**/.ignore", "**/Kustomization"]
            .map(|glob| json!({"globPattern": glob}))
            .into();
        let registration = json!({
            "id": "files", "method": "workspace/didChangeWatchedFiles", "registerOptions": {"watchers": watchers},
        });
        let message = json!({
            "jsonrpc": "2.0", "id": self.requests_sent, "method": "client/registerCapability",
            "params": {"registrations": [registration]},
        });
        self.send(&message);
    }

    fn answer(&mut self, id: &RequestId, outcome: Result<Value, Failure>) -> io::Result<()> {
        let mut message = json!({"jsonrpc": "2.0", "id": id});
        match outcome {
            Ok(result) => message["result"] = result,
            Err((code, text)) => message["error"] = json!({"code": code as i32, "message": text}),
        }
        transport::write(&mut self.output, &message)
    }

    fn notify(&mut self, method: &str, params: &impl Serialize) -> io::Result<()> {
        transport::write(&mut self.output, &json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    fn publish(&mut self, uri: &lsp::Uri, version: Option<i32>, list: &[lsp::Diagnostic]) {
        let params = lsp::PublishDiagnosticsParams { uri: uri.clone(), version, diagnostics: list.to_vec() };
        self.send(&json!({"jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": params}));
    }

    fn log(&mut self, message: &str) -> io::Result<()> {
        self.notify("window/logMessage", &json!({"type": 1, "message": message}))
    }

    /// Sends a message; a client that is gone also closes the input, which ends the loop.
    fn send(&mut self, message: &Value) {
        let _ = transport::write(&mut self.output, message);
    }
}
