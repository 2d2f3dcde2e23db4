//! Field paths, of which validation makes many and prints few.

use std::fmt;
use std::ops::Deref;

/// Paths up to this length need no memory of their own.
const SHORT: usize = 94;

/// A field path such as `spec.containers[0].image`.
#[derive(Clone)]
pub struct Path(Text);

#[derive(Clone)]
enum Text {
    Short { bytes: [u8; SHORT], length: u8 },
    Long(String),
}

impl Path {
    /// The path with more text at its end.
    pub fn with(&self, parts: &[&str]) -> Self {
        let mut longer = self.clone();
        parts.iter().for_each(|part| longer.push(part));
        longer
    }

    /// The path of the element at `index`.
    pub fn index(&self, index: usize) -> Self {
        match index {
            0 => self.with(&["[0]"]),
            _ => self.with(&["[", &index.to_string(), "]"]),
        }
    }

    /// The path of a field further down.
    pub fn below(&self, names: &[&str]) -> Self {
        let mut longer = self.clone();
        for name in names {
            if !longer.is_empty() {
                longer.push(".");
            }
            longer.push(name);
        }
        longer
    }

    fn push(&mut self, part: &str) {
        match &mut self.0 {
            Text::Long(text) => text.push_str(part),
            Text::Short { bytes, length } => {
                let (from, to) = (usize::from(*length), usize::from(*length) + part.len());
                if let (Some(free), Ok(whole)) = (bytes.get_mut(from..to), u8::try_from(to)) {
                    free.copy_from_slice(part.as_bytes());
                    *length = whole;
                } else {
                    self.0 = Text::Long([&**self, part].concat());
                }
            }
        }
    }

    /// Whether there is no text.
    fn is_empty(&self) -> bool {
        match &self.0 {
            Text::Short { length, .. } => *length == 0,
            Text::Long(text) => text.is_empty(),
        }
    }
}

impl From<&str> for Path {
    fn from(text: &str) -> Self {
        let mut path = Self(Text::Short { bytes: [0; SHORT], length: 0 });
        path.push(text);
        path
    }
}

impl From<String> for Path {
    fn from(text: String) -> Self {
        Self(Text::Long(text))
    }
}

impl Deref for Path {
    type Target = str;

    fn deref(&self) -> &str {
        match &self.0 {
            // Only whole texts are ever copied in.
            Text::Short { bytes, length } => std::str::from_utf8(&bytes[..usize::from(*length)]).unwrap_or_default(),
            Text::Long(text) => text,
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self)
    }
}

impl fmt::Debug for Path {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_paths_are_whole_too() {
        let mut path = Path::from("spec");
        let mut expected = "spec".to_owned();
        for index in [0, 7, 123_456, 0, 10] {
            path = path.below(&["größe", "containers"]).index(index);
            expected.push_str(&format!(".größe.containers[{index}]"));
            assert_eq!(&*path, expected);
        }
        assert!(expected.len() > SHORT);
        assert_eq!(&*Path::from("").below(&["spec"]), "spec");
    }
}
