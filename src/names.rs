//! Syntax of names: each function gives the API server's details of all that is wrong with a text, none if it is right.

/// The release that says `label key` for a qualified name and counts in bytes.
const WORDS_OF_CONTENT: u32 = 34;

const LABEL_KEY_RULE: &str =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const LABEL_KEY_REGEX: &str = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const LABEL_VALUE_RULE: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const LABEL_VALUE_REGEX: &str = "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?";
const DNS_LABEL_RULE: &str = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
const DNS_LABEL_REGEX: &str = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const DNS_SUBDOMAIN_RULE: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const DNS_SUBDOMAIN_REGEX: &str = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
const DNS_SEARCH_RULE: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character";
const DNS_SEARCH_REGEX: &str = r"_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*";

/// A rule with its examples and regular expression, as the server joins them.
fn by_regex(rule: &str, regex: &str, examples: &[&str]) -> String {
    let examples = examples.iter().map(|example| format!("'{example}', ")).collect::<Vec<_>>().join(" or ");
    format!("{rule} (e.g. {examples}regex used for validation is '{regex}')")
}

fn too_long(limit: usize, unit: &str) -> String {
    format!("must be no more than {limit} {unit}")
}

fn unit(kube_minor: u32) -> &'static str {
    if kube_minor < WORDS_OF_CONTENT { "characters" } else { "bytes" }
}

/// Alphanumeric at both ends, and `inner` or alphanumeric between.
fn is_word(text: &str, alphanumeric: fn(u8) -> bool, inner: &[u8]) -> bool {
    let bytes = text.as_bytes();
    match (bytes.first(), bytes.last()) {
        (Some(&first), Some(&last)) => {
            alphanumeric(first)
                && alphanumeric(last)
                && bytes.iter().all(|&byte| alphanumeric(byte) || inner.contains(&byte))
        }
        _ => false,
    }
}

fn any_case(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

fn lower_case(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}

fn is_label_word(text: &str) -> bool {
    is_word(text, any_case, b"-_.")
}

fn is_dns_label(text: &str) -> bool {
    is_word(text, lower_case, b"-")
}

fn is_dns_subdomain(text: &str) -> bool {
    text.split('.').all(is_dns_label)
}

/// A label key, annotation key, taint key or condition type: `[prefix/]name`.
pub fn label_key(text: &str, kube_minor: u32) -> Vec<String> {
    let word_rule = || by_regex(LABEL_KEY_RULE, LABEL_KEY_REGEX, &["MyName", "my.name", "123-abc"]);
    let mut details = Vec::new();
    let name = match text.split('/').collect::<Vec<_>>().as_slice() {
        [name] => *name,
        ["", name] => {
            details.push("prefix part must be non-empty".to_owned());
            *name
        }
        [prefix, name] => {
            let wrong = dns_subdomain_counted(prefix, unit(kube_minor));
            details.extend(wrong.into_iter().map(|detail| format!("prefix part {detail}")));
            *name
        }
        _ => {
            let what = if kube_minor < WORDS_OF_CONTENT { "a qualified name" } else { "a valid label key" };
            return vec![format!(
                "{what} {} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
                word_rule()
            )];
        }
    };
    if name.is_empty() {
        details.push("name part must be non-empty".to_owned());
    } else if name.len() > 63 {
        details.push(format!("name part {}", too_long(63, unit(kube_minor))));
    }
    if !is_label_word(name) {
        details.push(format!("name part {}", word_rule()));
    }
    details
}

/// A label value.
pub fn label_value(text: &str, kube_minor: u32) -> Vec<String> {
    let mut details = Vec::new();
    if text.len() > 63 {
        details.push(too_long(63, unit(kube_minor)));
    }
    if !text.is_empty() && !is_label_word(text) {
        details.push(by_regex(LABEL_VALUE_RULE, LABEL_VALUE_REGEX, &["MyValue", "my_value", "12345"]));
    }
    details
}

/// The name of a container, a volume or a host.
pub fn dns_label(text: &str) -> Vec<String> {
    let mut details = Vec::new();
    if text.len() > 63 {
        details.push(too_long(63, "characters"));
    }
    if !is_dns_label(text) {
        details.push(if is_dns_subdomain(text) {
            "must not contain dots".to_owned()
        } else {
            by_regex(DNS_LABEL_RULE, DNS_LABEL_REGEX, &["my-name", "123-abc"])
        });
    }
    details
}

/// The name of most objects.
pub fn dns_subdomain(text: &str) -> Vec<String> {
    dns_subdomain_counted(text, "characters")
}

fn dns_subdomain_counted(text: &str, unit: &str) -> Vec<String> {
    let mut details = Vec::new();
    if text.len() > 253 {
        details.push(too_long(253, unit));
    }
    if !is_dns_subdomain(text) {
        details.push(by_regex(DNS_SUBDOMAIN_RULE, DNS_SUBDOMAIN_REGEX, &["example.com"]));
    }
    details
}

/// The name of an object, of which the server checks only a prefix: a dash at the end is allowed.
pub fn dns_subdomain_prefix(text: &str) -> Vec<String> {
    match text.strip_suffix('-') {
        Some(rest) if !rest.is_empty() => dns_subdomain(&format!("{rest}a")),
        _ => dns_subdomain(text),
    }
}

/// A DNS search path, in which underscores are allowed.
pub fn dns_search(text: &str) -> Vec<String> {
    let mut details = Vec::new();
    if text.len() > 253 {
        details.push(too_long(253, "characters"));
    }
    let fits = text.split('.').all(|label| {
        let label = label.strip_prefix('_').unwrap_or(label);
        is_word(label, lower_case, b"-_")
    });
    if !fits {
        details.push(by_regex(DNS_SEARCH_RULE, DNS_SEARCH_REGEX, &["example.com"]));
    }
    details
}

/// The name of a port.
pub fn port_name(text: &str) -> Vec<String> {
    let mut details = Vec::new();
    if text.len() > 15 {
        details.push(too_long(15, "characters"));
    }
    if text.is_empty() || !text.bytes().all(|byte| lower_case(byte) || byte == b'-') {
        details.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)".into());
    }
    if !text.bytes().any(|byte| byte.is_ascii_lowercase()) {
        details.push("must contain at least one letter (a-z)".into());
    }
    if text.contains("--") {
        details.push("must not contain consecutive hyphens".into());
    }
    if text.starts_with('-') || text.ends_with('-') {
        details.push("must not begin or end with a hyphen".into());
    }
    details
}

/// The number of a port.
pub fn port_number(number: i64) -> Vec<String> {
    if (1..=65535).contains(&number) { Vec::new() } else { vec![in_range(1, 65535)] }
}

/// The number of a user or a group.
pub fn user_id(number: i64) -> Vec<String> {
    if (0..=2_147_483_647).contains(&number) { Vec::new() } else { vec![in_range(0, 2_147_483_647)] }
}

/// `must be between <low> and <high>, inclusive`.
pub fn in_range(low: i64, high: i64) -> String {
    format!("must be between {low} and {high}, inclusive")
}

/// The name of an environment variable.
pub fn env_name(text: &str, kube_minor: u32) -> Vec<String> {
    if kube_minor < 32 {
        return strict_env_name(text);
    }
    if text.bytes().all(|byte| (b' '..=b'~').contains(&byte) && byte != b'=') {
        return Vec::new();
    }
    vec!["a valid environment variable name must consist only of printable ASCII characters other than '='".into()]
}

/// The rule of releases before 1.32.
fn strict_env_name(text: &str) -> Vec<String> {
    const RULE: &str = "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit";
    let mut details = Vec::new();
    let fits = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte))
        && text.bytes().next().is_some_and(|byte| !byte.is_ascii_digit());
    if !fits {
        details.push(by_regex(RULE, "[-._a-zA-Z][-._a-zA-Z0-9]*", &["my.env-name", "MY_ENV.NAME", "MyEnvName1"]));
    }
    details.extend(relative_path(text));
    details
}

/// A key of a ConfigMap or a Secret.
pub fn config_key(text: &str) -> Vec<String> {
    const RULE: &str = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
    let mut details = Vec::new();
    if text.len() > 253 {
        details.push(too_long(253, "characters"));
    }
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte)) {
        details.push(by_regex(RULE, "[-._a-zA-Z0-9]+", &["key.name", "KEY_NAME", "key-name"]));
    }
    details.extend(relative_path(text));
    details
}

fn relative_path(text: &str) -> Option<String> {
    match text {
        "." => Some("must not be '.'".into()),
        ".." => Some("must not be '..'".into()),
        _ if text.starts_with("..") => Some("must not start with '..'".into()),
        _ => None,
    }
}

/// The name of an HTTP header.
pub fn http_header(text: &str) -> Vec<String> {
    const RULE: &str = "a valid HTTP header must consist of alphanumeric characters or '-'";
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
        return Vec::new();
    }
    vec![by_regex(RULE, "[-A-Za-z0-9]+", &["X-Header-Name"])]
}

/// An IP address of either family.
pub fn ip_address(text: &str) -> Option<&'static str> {
    let address: Result<std::net::IpAddr, _> = sloppy_ipv4(text).parse();
    address.is_err().then_some("must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)")
}

/// Go's sloppy parser takes leading zeros in IPv4 addresses.
fn sloppy_ipv4(text: &str) -> String {
    if text.contains(':') {
        return text.to_owned();
    }
    let parts = text.split('.').map(|part| match part.trim_start_matches('0') {
        "" if !part.is_empty() => "0",
        rest => rest,
    });
    parts.collect::<Vec<_>>().join(".")
}

/// Removes characters that a DNS label must not have, for a proposal: `My_Agent` becomes `my-agent`.
pub fn to_dns_label(text: &str) -> Option<String> {
    let mapped: String = text
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' })
        .collect();
    let label = mapped.trim_matches('-');
    (is_dns_label(label) && label.len() <= 63).then(|| label.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn label_keys() {
        assert!(label_key("virtual-kubelet.io/provider", 36).is_empty());
        assert_eq!(label_key("/foo", 36), ["prefix part must be non-empty"]);
        assert_eq!(label_key("", 36).len(), 2);
        assert!(label_key("Foo.io/bar", 36)[0].starts_with("prefix part a lowercase RFC 1123 subdomain must"));
        assert_eq!(label_key(&"a".repeat(64), 36), ["name part must be no more than 63 bytes"]);
        assert!(label_key("a/b/c", 36)[0].starts_with("a valid label key must consist"));
        assert!(label_key("a/b/c", 33)[0].starts_with("a qualified name must consist"));
    }

    #[test]
    fn names_with_dots_and_capitals() {
        assert_eq!(dns_label("my.agent"), ["must not contain dots"]);
        assert!(dns_label("Agent")[0].ends_with(
            "(e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
        ));
        assert_eq!(dns_label(&"a".repeat(64)), ["must be no more than 63 characters"]);
        assert_eq!(to_dns_label("My_Agent").as_deref(), Some("my-agent"));
        assert!(dns_search("_tcp.example.com").is_empty());
    }

    #[test]
    fn ports_and_addresses() {
        assert_eq!(port_name("8080"), ["must contain at least one letter (a-z)"]);
        assert_eq!(port_name("averyveryverylongname"), ["must be no more than 15 characters"]);
        assert_eq!(port_number(70000), ["must be between 1 and 65535, inclusive"]);
        assert!(ip_address("010.1.2.3").is_none());
        assert!(ip_address("::1").is_none());
        assert!(ip_address("notanip").is_some());
    }

    #[test]
    fn environment_names_and_keys() {
        assert!(env_name("1 a", 36).is_empty());
        assert_eq!(env_name("A=B", 36).len(), 1);
        assert_eq!(env_name("1a", 31).len(), 1);
        assert_eq!(config_key("..a"), ["must not start with '..'"]);
    }
}
