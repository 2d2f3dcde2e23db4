//! Messages on standard input and output. A message that cannot be read is answered, and the next one is read.

use lsp_server::{ErrorCode, Message};
use serde_json::{Value, json};
use std::io::{self, BufRead, Read, Write};

/// The largest message, in bytes.
const LARGEST: u64 = 1 << 30;

/// What arrives.
#[derive(Debug)]
pub(super) enum Incoming {
    /// A message.
    Message(Message),
    /// Something that is no message, with the answer to it.
    Malformed(Value),
}

/// Reads one message; `None` at the end of the input.
///
/// # Errors
/// When the input fails, or a header says nothing of a length: no later message can be found then.
pub(super) fn read(from: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let Some(length) = length(from)? else { return Ok(None) };
    if length > LARGEST {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a message of more than 1 GiB"));
    }
    let mut bytes = Vec::new();
    from.take(length).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < length {
        return Ok(None);
    }
    let value: Value = match serde_json::from_slice(&bytes) {
        Ok(value) => value,
        Err(error) => return Ok(Some(malformed(Value::Null, ErrorCode::ParseError, &error.to_string()))),
    };
    let id = value.get("id").filter(|id| id.is_string() || id.is_number()).cloned().unwrap_or(Value::Null);
    Ok(Some(match serde_json::from_value(value) {
        Ok(message) => Incoming::Message(message),
        Err(_) => malformed(id, ErrorCode::InvalidRequest, "neither a request, a notification nor a response"),
    }))
}

fn malformed(id: Value, code: ErrorCode, message: &str) -> Incoming {
    Incoming::Malformed(json!({"jsonrpc": "2.0", "id": id, "error": {"code": code as i32, "message": message}}))
}

/// Reads a header; the answer is the length of what follows.
fn length(from: &mut impl BufRead) -> io::Result<Option<u64>> {
    let mut length = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        if from.take(1 << 16).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        match text.split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("Content-Length") => length = value.trim().parse().ok(),
            None if text.is_empty() && length.is_some() => return Ok(length),
            None if text.is_empty() => {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "a header without Content-Length"));
            }
            _ => {}
        }
    }
}

/// Writes one message.
///
/// # Errors
/// When the output is gone.
pub(super) fn write(to: &mut impl Write, message: &Value) -> io::Result<()> {
    let text = message.to_string();
    write!(to, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    to.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framed(body: &str) -> Vec<u8> {
        format!("Content-Length: {}\r\nContent-Type: x\r\n\r\n{body}", body.len()).into_bytes()
    }

    #[test]
    fn what_cannot_be_read_is_answered_and_the_next_message_is_read() {
        let mut bytes = framed("{oops");
        bytes.extend(framed(r#"{"jsonrpc":"2.0","id":7,"what":1}"#));
        bytes.extend(framed(r#"{"jsonrpc":"2.0","method":"initialized"}"#));
        let mut input = bytes.as_slice();
        let code = |incoming| match incoming {
            Some(Incoming::Malformed(answer)) => (answer["id"].clone(), answer["error"]["code"].as_i64()),
            other => panic!("{other:?}"),
        };
        assert_eq!(code(read(&mut input).unwrap()), (Value::Null, Some(-32700)));
        assert_eq!(code(read(&mut input).unwrap()), (json!(7), Some(-32600)));
        assert!(matches!(read(&mut input).unwrap(), Some(Incoming::Message(Message::Notification(_)))));
        assert!(read(&mut input).unwrap().is_none());
    }

    #[test]
    fn a_header_without_a_length_ends_the_input() {
        assert!(read(&mut b"Content-Type: x\r\n\r\n{}".as_slice()).is_err());
    }
}
