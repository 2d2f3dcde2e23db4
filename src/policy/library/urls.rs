//! URLs, read as Go's `net/url` reads them: the API server's `url` library.

use super::{Answer, Any, declare, opaque};
use crate::policy::budget::Budget;
use crate::policy::value;
use cel::extractors::This;
use cel::objects::Opaque;
use cel::{Context, ExecutionError, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Debug, Default, PartialEq, Eq)]
struct Url {
    scheme: String,
    user: Option<String>,
    host: String,
    /// Escaped.
    path: String,
    opaque: String,
    query: String,
    fragment: String,
}

impl Opaque for Url {
    fn runtime_type_name(&self) -> &str {
        "kubernetes.URL"
    }
}

/// The part of a URL that a text stands in: what may stand there unescaped differs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Path,
    Host,
    Zone,
    Other,
}

impl Url {
    /// Reads a URL; `request` asks for an absolute one and knows no fragment.
    fn parse(text: &str, request: bool) -> Result<Self, String> {
        if text.bytes().any(|byte| byte < b' ' || byte == 0x7f) {
            return Err("net/url: invalid control character in URL".into());
        }
        let (text, fragment) = if request { (text, "") } else { text.split_once('#').unwrap_or((text, "")) };
        let fragment = unescape(fragment, Part::Other)?;
        if text.is_empty() && request {
            return Err("empty url".into());
        }
        if text == "*" {
            return Ok(Self { path: "*".into(), fragment, ..Self::default() });
        }
        let (scheme, rest) = split_scheme(text)?;
        let (mut rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let mut url =
            Self { scheme: scheme.to_ascii_lowercase(), query: query.to_owned(), fragment, ..Self::default() };
        if !rest.starts_with('/') {
            if !scheme.is_empty() {
                url.opaque = rest.to_owned();
                return Ok(url);
            }
            return Err("invalid URI for request".into());
        }
        if (!scheme.is_empty() || !request && !rest.starts_with("///"))
            && let Some(after) = rest.strip_prefix("//")
        {
            let (authority, path) = after.split_at(after.find('/').unwrap_or(after.len()));
            (url.user, url.host) = parse_authority(authority)?;
            rest = path;
        }
        url.path = escaped_path(rest)?;
        Ok(url)
    }

    /// The name or address and the port of the host.
    fn host_and_port(&self) -> (&str, &str) {
        let (name, port) = match self.host.rfind(':') {
            Some(at) if is_port(&self.host[at..]) => (&self.host[..at], &self.host[at + 1..]),
            _ => (self.host.as_str(), ""),
        };
        (name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name), port)
    }

    /// The values of each key of the query; what cannot be read is left out.
    fn values(&self) -> BTreeMap<String, Vec<Value>> {
        let mut values: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for pair in self.query.split('&').filter(|pair| !pair.is_empty() && !pair.contains(';')) {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            let read = |text: &str| unescape(&text.replace('+', " "), Part::Other);
            if let (Ok(key), Ok(value)) = (read(key), read(value)) {
                values.entry(key).or_default().push(value::text(value));
            }
        }
        values
    }
}

fn split_scheme(text: &str) -> Result<(&str, &str), String> {
    for (at, letter) in text.char_indices() {
        match letter {
            'a'..='z' | 'A'..='Z' => {}
            '0'..='9' | '+' | '-' | '.' if at > 0 => {}
            ':' if at == 0 => return Err("missing protocol scheme".into()),
            ':' => return Ok((&text[..at], &text[at + 1..])),
            _ => break,
        }
    }
    Ok(("", text))
}

fn parse_authority(authority: &str) -> Result<(Option<String>, String), String> {
    let Some((user, host)) = authority.rsplit_once('@') else { return Ok((None, parse_host(authority)?)) };
    let host = parse_host(host)?;
    if !user.chars().all(|letter| letter.is_ascii_alphanumeric() || "-._:~!$&'()*+,;=%@".contains(letter)) {
        return Err("net/url: invalid userinfo".into());
    }
    Ok((Some(unescape(user, Part::Other)?), host))
}

fn parse_host(host: &str) -> Result<String, String> {
    let check = |port: &str| {
        if is_port(port) { Ok(()) } else { Err(format!("invalid port {port:?} after host")) }
    };
    if host.starts_with('[') {
        let end = host.rfind(']').ok_or("missing ']' in host")?;
        check(&host[end + 1..])?;
        if let Some(zone) = host[..end].find("%25") {
            let parts = [(&host[..zone], Part::Host), (&host[zone..end], Part::Zone), (&host[end..], Part::Host)];
            return parts.into_iter().map(|(text, part)| unescape(text, part)).collect();
        }
    } else if let Some(at) = host.rfind(':') {
        check(&host[at..])?;
    }
    unescape(host, Part::Host)
}

fn is_port(text: &str) -> bool {
    text.is_empty() || text.strip_prefix(':').is_some_and(|port| port.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Undoes `%xx`.
fn unescape(text: &str, part: Part) -> Result<String, String> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        if byte == b'%' {
            let end = bytes.len().min(at + 3);
            let wrong = || format!("invalid URL escape {:?}", String::from_utf8_lossy(&bytes[at..end]));
            let digit = |at: usize| bytes.get(at).and_then(|digit| char::from(*digit).to_digit(16));
            let (Some(high), Some(low)) = (digit(at + 1), digit(at + 2)) else { return Err(wrong()) };
            let value = (high * 16 + low) as u8;
            let ascii_in_host = part == Part::Host && high < 8 && value != b'%';
            let odd_in_zone = part == Part::Zone && !matches!(value, b'%' | b' ') && !is_host_byte(value);
            if ascii_in_host || odd_in_zone {
                return Err(wrong());
            }
            out.push(value);
            at += 3;
            continue;
        }
        if matches!(part, Part::Host | Part::Zone) && byte < 0x80 && !is_host_byte(byte) {
            return Err(format!("invalid character {:?} in host name", char::from(byte).to_string()));
        }
        out.push(byte);
        at += 1;
    }
    Ok(String::from_utf8_lossy(&out).into_owned())
}

fn is_host_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.~!$&'()*+,;=:[]<>\"".contains(&byte)
}

/// A path as it stands if it is well escaped, otherwise escaped anew.
fn escaped_path(path: &str) -> Result<String, String> {
    let plain = unescape(path, Part::Path)?;
    let stands = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~!$&'()*+,;=:@[]%/".contains(&byte);
    if path.bytes().all(stands) {
        return Ok(path.to_owned());
    }
    let kept = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~$&+,/:;=@".contains(&byte);
    Ok(plain
        .bytes()
        .map(|byte| if kept(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect())
}

fn read(text: &str) -> Result<Url, String> {
    let failed = |words: String| format!("URL parse error during conversion from string: parse {text:?}: {words}");
    Url::parse(text, true).map_err(failed)?;
    Url::parse(text, false).map_err(failed)
}

/// Adds the functions on URLs.
pub fn add(context: &mut Context<'_, '_>, budget: &Budget) {
    let purse = budget.clone();
    declare(context, "url", move |text: Arc<String>| -> Answer<Value> {
        purse.spend(text.len())?;
        read(&text).map(opaque).map_err(|words| ExecutionError::function_error("url", words))
    });
    let purse = budget.clone();
    declare(context, "isURL", move |text: Arc<String>| -> Answer<bool> {
        purse.spend(text.len())?;
        Ok(Url::parse(&text, true).is_ok())
    });
    type Part = (&'static str, fn(&Url) -> &str);
    let parts: [Part; 5] = [
        ("getScheme", |url| &url.scheme),
        ("getHost", |url| &url.host),
        ("getHostname", |url| url.host_and_port().0),
        ("getPort", |url| url.host_and_port().1),
        ("getEscapedPath", |url| &url.path),
    ];
    for (name, part) in parts {
        declare(context, name, move |This(this): This<Any>| -> Answer<Value> {
            Ok(value::text(part(url(name, &this)?)))
        });
    }
    let purse = budget.clone();
    declare(context, "getQuery", move |This(this): This<Any>| -> Answer<Value> {
        let url = url("getQuery", &this)?;
        purse.spend(url.query.len())?;
        Ok(value::map(url.values().into_iter().map(|(key, values)| (key, Value::List(Arc::new(values))))))
    });
}

fn url<'v>(function: &str, value: &'v Any) -> Answer<&'v Url> {
    let wrong = || ExecutionError::no_such_overload(function, vec![value.runtime_type_name().to_owned()]);
    value.downcast_ref::<Url>().ok_or_else(wrong)
}
