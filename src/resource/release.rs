//! Releases of agent-sandbox.

use std::fmt;
use std::str::FromStr;

/// A release of agent-sandbox, such as `0.5.3` or `0.3.10.post1`; 1.0 and later serve v1beta1 only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentSandboxRelease {
    /// Major number.
    pub major: u32,
    /// Minor number.
    pub minor: u32,
    /// Patch number.
    pub patch: u32,
    /// The number of a post-release (1 in `0.3.10.post1`), 0 for none.
    pub post: u32,
}

/// A text that names no release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write a release such as 0.5.3 or 0.3.10.post1")]
pub struct NoRelease;

impl AgentSandboxRelease {
    /// The release `major.minor.patch`.
    pub const fn new(major: u32, minor: u32, patch: u32) -> Self {
        Self { major, minor, patch, post: 0 }
    }
}

impl FromStr for AgentSandboxRelease {
    type Err = NoRelease;

    /// Reads `1`, `0.5`, `v0.5.3`, `0.3.10.post1`; what follows a `-` or `+` is left out.
    fn from_str(text: &str) -> Result<Self, NoRelease> {
        let plain = text.strip_prefix('v').unwrap_or(text);
        let plain = plain.split(['-', '+']).next().unwrap_or_default();
        let (numbers, post) = match plain.split_once(".post") {
            Some((numbers, post)) => (numbers, number(post)?),
            None => (plain, 0),
        };
        let numbers = numbers.split('.').map(number).collect::<Result<Vec<u32>, NoRelease>>()?;
        let [major, minor, patch] = match numbers[..] {
            [major] if post == 0 => [major, 0, 0],
            [major, minor] if post == 0 => [major, minor, 0],
            [major, minor, patch] => [major, minor, patch],
            _ => return Err(NoRelease),
        };
        Ok(Self { major, minor, patch, post })
    }
}

fn number(text: &str) -> Result<u32, NoRelease> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits).ok_or(NoRelease)
}

impl fmt::Display for AgentSandboxRelease {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}.{}", self.major, self.minor, self.patch)?;
        match self.post {
            0 => Ok(()),
            post => write!(formatter, ".post{post}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<AgentSandboxRelease> {
        text.parse().ok()
    }

    #[test]
    fn releases_are_read_as_people_write_them() {
        assert_eq!(read("v0.4.2"), Some(AgentSandboxRelease::new(0, 4, 2)));
        assert_eq!([read("1"), read("1.0"), read("1.0.0-rc.1")], [Some(AgentSandboxRelease::new(1, 0, 0)); 3]);
        let post = AgentSandboxRelease { post: 1, ..AgentSandboxRelease::new(0, 3, 10) };
        assert_eq!(read("v0.3.10.post1"), Some(post));
        assert_eq!(post.to_string(), "0.3.10.post1");
        for text in ["", "new", "1.2.3.4", "0.3.post1", "0.3.10.post", "+1.0", "1.-2", "0..1", "99999999999"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_post_release_stands_between_its_release_and_the_next() {
        let order = ["0.3.9", "0.3.10", "0.3.10.post1", "0.3.11", "0.4.0"].map(|text| read(text).expect("a release"));
        assert!(order.is_sorted());
    }
}
