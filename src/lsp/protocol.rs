//! What requests carry, what answers look like, and what the server says it can do.

use super::actions;
use super::position::{Places, Unit};
use super::workspace::{Workspace, file_of, path_of};
use gen_lsp_types as lsp;
use lsp_server::ErrorCode;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Why a request has no result.
pub(super) type Failure = (ErrorCode, String);

/// The folder that a `WorkspaceFolder` names, if it is one on disk.
pub(super) fn folder(value: &Value) -> Option<PathBuf> {
    file_of(&lsp::Uri(value.get("uri")?.as_str()?.to_owned()))
}

/// The path and the byte of a place in an open file.
pub(super) fn at(workspace: &Workspace, place: &lsp::TextDocumentPositionParams) -> Option<(String, usize)> {
    let document = workspace.document(&place.text_document.uri)?;
    let at = Places::new(&document.text, workspace.unit).offset(place.position);
    Some((path_of(&place.text_document.uri), at))
}

pub(super) fn read_params<P: DeserializeOwned>(params: &Value) -> Result<P, Failure> {
    P::deserialize(params).map_err(|error| (ErrorCode::InvalidParams, error.to_string()))
}

pub(super) fn to_value(result: impl Serialize) -> Value {
    serde_json::to_value(result).expect("answers are plain data")
}

pub(super) fn capabilities(unit: Unit) -> Value {
    json!({
        "positionEncoding": unit.kind(),
        "textDocumentSync": {"openClose": true, "change": 2, "save": {"includeText": false}},
        "hoverProvider": true,
        "completionProvider": {"triggerCharacters": [":", " ", "-", "/", "."]},
        "definitionProvider": true,
        "referencesProvider": true,
        "documentSymbolProvider": true,
        "codeActionProvider": {"codeActionKinds": ["quickfix", actions::FIX_ALL]},
        "workspace": {"workspaceFolders": {"supported": true, "changeNotifications": true}},
    })
}
