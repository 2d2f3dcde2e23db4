//! One CEL expression: compiled, checked for names that do not exist, and made to pay its way.

use super::budget::{DURATION, JOIN, PAID, RANGE, REPLACE, SPLIT, TIMESTAMP};
use cel::common::ast::{
    CallExpr, ComprehensionExpr, EntryExpr, Expr, IdedExpr, ListExpr, LiteralValue, MapEntryExpr, MapExpr, SelectExpr,
    operators,
};
use cel::common::types::CelInt;
use std::collections::BTreeSet;

/// The longest expression that is read, in bytes.
pub const LONGEST: usize = 16 * 1024;

/// The most parts of an expression, its variables put in.
pub const MOST_PARTS: usize = 20_000;

/// How deep the parts of an expression may be nested, its variables put in.
pub const DEEPEST: usize = 120;

/// The stack on which expressions are parsed and evaluated, in bytes; only what is used of it takes memory.
pub(super) const STACK: usize = 64 << 20;

/// How deep brackets may be nested (the parser's own limit).
const DEEPEST_TEXT: usize = 96;

/// A compiled expression.
#[derive(Clone, Debug)]
pub struct Expression {
    /// As written.
    pub source: String,
    /// Compiled, not yet paying.
    plain: IdedExpr,
    /// Compiled and paying.
    pub(super) paying: IdedExpr,
    /// The variables it names, as `object` or `request.userInfo`.
    pub names: BTreeSet<String>,
    /// The functions it calls.
    pub functions: BTreeSet<String>,
}

/// Variables that an expression can use as `variables.NAME`, in the order of their definition.
pub type Variables = Vec<(String, Expression)>;

impl Expression {
    /// Compiles a text.
    ///
    /// # Errors
    /// What is wrong with it, as a clause.
    pub fn compile(source: &str, variables: &Variables) -> Result<Self, String> {
        if source.len() > LONGEST {
            return Err(format!("the expression is longer than {LONGEST} bytes"));
        }
        let mut plain = parse(source)?;
        let mut parts = size(&plain, MOST_PARTS)?;
        put_variables_in(&mut plain, variables, &mut parts)?;
        size(&plain, MOST_PARTS)?;
        let mut names = Names::default();
        names.visit(&plain, &mut Vec::new());
        let mut paying = plain.clone();
        make_pay(&mut paying);
        Ok(Self { source: source.to_owned(), plain, paying, names: names.variables, functions: names.functions })
    }

    /// Whether it looks at a variable such as `pod`.
    pub fn uses(&self, variable: &str) -> bool {
        self.names
            .iter()
            .any(|name| name == variable || name.strip_prefix(variable).is_some_and(|rest| rest.starts_with('.')))
    }
}

/// Parses on a thread with room for deep nesting; a parser that gives up with a panic is an error like any other.
fn parse(source: &str) -> Result<IdedExpr, String> {
    let text = source.to_owned();
    let worker = std::thread::Builder::new().stack_size(STACK);
    let handle = worker.spawn(move || {
        let parsed = super::library::environment().compile(&text);
        parsed.map(|program| program.expression().clone()).map_err(|errors| first_error(&errors))
    });
    handle.map_err(|error| error.to_string())?.join().unwrap_or_else(|_| Err("it cannot be parsed".into()))
}

fn first_error(errors: &cel::ParseErrors) -> String {
    let Some(first) = errors.errors.first() else { return "it cannot be parsed".into() };
    let words = first.msg.trim().trim_start_matches("Syntax error: ");
    if words.contains("Recursion limit") {
        return format!("the expression is nested more than {DEEPEST_TEXT} levels deep");
    }
    match first.pos {
        (0, _) => words.to_owned(),
        (line, column) => format!("line {line}, column {column} of the expression: {words}"),
    }
}

fn children(expr: &Expr) -> Vec<&IdedExpr> {
    match expr {
        Expr::Call(call) => call.target.as_deref().into_iter().chain(&call.args).collect(),
        Expr::Comprehension(it) => {
            vec![&it.iter_range, &it.accu_init, &it.loop_cond, &it.loop_step, &it.result]
        }
        Expr::List(list) => list.elements.iter().collect(),
        Expr::Select(select) => vec![&select.operand],
        Expr::Map(MapExpr { entries }) => entries.iter().flat_map(|entry| entry_children(&entry.expr)).collect(),
        Expr::Struct(it) => it.entries.iter().flat_map(|entry| entry_children(&entry.expr)).collect(),
        Expr::Ident(_) | Expr::Literal(_) | Expr::Unspecified => Vec::new(),
    }
}

fn entry_children(entry: &EntryExpr) -> Vec<&IdedExpr> {
    match entry {
        EntryExpr::MapEntry(MapEntryExpr { key, value, .. }) => vec![key, value],
        EntryExpr::StructField(field) => vec![&field.value],
    }
}

fn children_mut(expr: &mut Expr) -> Vec<&mut IdedExpr> {
    match expr {
        Expr::Call(call) => call.target.as_deref_mut().into_iter().chain(&mut call.args).collect(),
        Expr::Comprehension(it) => {
            let ComprehensionExpr { iter_range, accu_init, loop_cond, loop_step, result, .. } = &mut **it;
            vec![iter_range, accu_init, loop_cond, loop_step, result]
        }
        Expr::List(ListExpr { elements, .. }) => elements.iter_mut().collect(),
        Expr::Select(select) => vec![&mut select.operand],
        Expr::Map(map) => map.entries.iter_mut().flat_map(|entry| entry_children_mut(&mut entry.expr)).collect(),
        Expr::Struct(it) => it.entries.iter_mut().flat_map(|entry| entry_children_mut(&mut entry.expr)).collect(),
        Expr::Ident(_) | Expr::Literal(_) | Expr::Unspecified => Vec::new(),
    }
}

fn entry_children_mut(entry: &mut EntryExpr) -> Vec<&mut IdedExpr> {
    match entry {
        EntryExpr::MapEntry(MapEntryExpr { key, value, .. }) => vec![key, value],
        EntryExpr::StructField(field) => vec![&mut field.value],
    }
}

/// Counts the parts without recursion, and refuses what is too large or too deep to walk.
fn size(expr: &IdedExpr, most: usize) -> Result<usize, String> {
    let mut stack = vec![(expr, 1)];
    let mut parts = 0;
    while let Some((expr, depth)) = stack.pop() {
        parts += 1;
        if parts > most {
            return Err(format!("the expression has more than {most} parts"));
        }
        if depth > DEEPEST {
            return Err(format!("the expression is nested more than {DEEPEST} levels deep"));
        }
        stack.extend(children(&expr.expr).into_iter().map(|child| (child, depth + 1)));
    }
    Ok(parts)
}

/// Puts the text of each variable in its place, so that it is looked at only where and when it is needed.
fn put_variables_in(expr: &mut IdedExpr, variables: &Variables, parts: &mut usize) -> Result<(), String> {
    if let Some(name) = variable_name(&expr.expr)
        && let Some((_, variable)) = variables.iter().find(|(known, _)| *known == name)
    {
        *parts += size(&variable.plain, MOST_PARTS)?;
        if *parts > MOST_PARTS {
            return Err(format!("the expression has more than {MOST_PARTS} parts"));
        }
        *expr = variable.plain.clone();
        return Ok(());
    }
    children_mut(&mut expr.expr).into_iter().try_for_each(|child| put_variables_in(child, variables, parts))
}

fn variable_name(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Select(SelectExpr { operand, field, test: false }) => {
            matches!(&operand.expr, Expr::Ident(name) if name == "variables").then_some(field.as_str())
        }
        _ => None,
    }
}

/// The variables and functions that an expression names; those that its own loops define are left out.
#[derive(Default)]
struct Names {
    variables: BTreeSet<String>,
    functions: BTreeSet<String>,
}

impl Names {
    fn visit<'e>(&mut self, expr: &'e IdedExpr, scope: &mut Vec<&'e str>) {
        match &expr.expr {
            Expr::Ident(name) if !scope.contains(&name.as_str()) => {
                self.variables.insert(name.clone());
            }
            Expr::Select(select) if matches!(&select.operand.expr, Expr::Ident(name) if !scope.contains(&name.as_str())) =>
            {
                let Expr::Ident(name) = &select.operand.expr else { return };
                self.variables.insert(format!("{name}.{}", select.field));
            }
            Expr::Call(call) => self.visit_call(call, scope),
            Expr::Comprehension(it) => {
                self.visit(&it.iter_range, scope);
                self.visit(&it.accu_init, scope);
                let before = scope.len();
                scope.extend([it.iter_var.as_str(), it.accu_var.as_str()]);
                scope.extend(it.iter_var2.as_deref());
                for part in [&it.loop_cond, &it.loop_step, &it.result] {
                    self.visit(part, scope);
                }
                scope.truncate(before);
            }
            other => children(other).into_iter().for_each(|child| self.visit(child, scope)),
        }
    }

    /// A call on a bare name such as `optional.of(x)` names a function with a prefix.
    fn visit_call<'e>(&mut self, call: &'e CallExpr, scope: &mut Vec<&'e str>) {
        if let Some(name) = super::library::grouped(call) {
            self.functions.insert(name);
        } else {
            if !is_operator(&call.func_name) {
                self.functions.insert(call.func_name.clone());
            }
            if let Some(target) = &call.target {
                self.visit(target, scope);
            }
        }
        call.args.iter().for_each(|arg| self.visit(arg, scope));
    }
}

fn is_operator(name: &str) -> bool {
    name.starts_with(['_', '-', '!', '@'])
}

/// Rewrites an expression so that everything whose cost depends on its input is paid for.
fn make_pay(expr: &mut IdedExpr) {
    children_mut(&mut expr.expr).into_iter().for_each(make_pay);
    match &mut expr.expr {
        Expr::Comprehension(it) => {
            let turn = [&it.loop_cond, &it.loop_step].into_iter().map(parts_of).sum::<usize>();
            let range = std::mem::take(&mut it.iter_range);
            let turn = IdedExpr { id: range.id, expr: Expr::Literal(LiteralValue::Int(CelInt::from(turn as i64))) };
            it.iter_range = call(RANGE, vec![range, turn]);
        }
        Expr::Call(it) if it.func_name == operators::ADD && is_accumulator(&it.args) => {}
        Expr::Call(it) if is_costly(&it.func_name) => {
            let named = super::library::grouped(it).is_some();
            let targets = it.target.as_deref_mut().filter(|_| !named).into_iter();
            targets.chain(&mut it.args).for_each(pay_for);
            match it.func_name.as_str() {
                "split" | "findAll" => {
                    if let Some(text) = it.target.as_deref_mut().or(it.args.first_mut()) {
                        let inner = std::mem::take(text);
                        *text = call(SPLIT, vec![inner]);
                    }
                }
                "replace" => it.func_name = REPLACE.into(),
                "join" => it.func_name = JOIN.into(),
                "duration" if it.target.is_none() && it.args.len() == 1 => it.func_name = DURATION.into(),
                "timestamp" if it.target.is_none() && it.args.len() == 1 => it.func_name = TIMESTAMP.into(),
                _ => {}
            }
            pay_for(expr);
        }
        _ => {}
    }
}

/// The step of `map` and `filter`, which adds one item to the list they build.
fn is_accumulator(args: &[IdedExpr]) -> bool {
    matches!(args.first().map(|arg| &arg.expr), Some(Expr::Ident(name)) if name.starts_with('@'))
}

fn is_costly(function: &str) -> bool {
    let compares = [
        operators::ADD,
        operators::EQUALS,
        operators::NOT_EQUALS,
        operators::IN,
        operators::LESS,
        operators::LESS_EQUALS,
        operators::GREATER,
        operators::GREATER_EQUALS,
    ];
    !is_operator(function) || compares.contains(&function)
}

fn pay_for(expr: &mut IdedExpr) {
    if !matches!(expr.expr, Expr::Literal(_)) {
        let inner = std::mem::take(expr);
        *expr = call(PAID, vec![inner]);
    }
}

fn call(function: &str, args: Vec<IdedExpr>) -> IdedExpr {
    let id = args.first().map_or(0, |arg| arg.id);
    IdedExpr { id, expr: Expr::Call(CallExpr { func_name: function.to_owned(), target: None, args }) }
}

fn parts_of(expr: &IdedExpr) -> usize {
    1 + children(&expr.expr).into_iter().map(parts_of).sum::<usize>()
}
