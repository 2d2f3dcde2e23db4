//! Paths that stay below something.

use super::field::Field;
use super::message::Errors;

/// A path below something: relative, and never upwards.
pub fn local_path(field: &Field<'_>, errors: &mut Errors) {
    if field.text().starts_with('/') {
        errors.invalid(field, field.text(), "must be a relative path");
    }
    no_backsteps(field, errors);
}

/// A path without an element `..`.
pub fn no_backsteps(field: &Field<'_>, errors: &mut Errors) {
    if has_backsteps(field.text()) {
        errors.invalid(field, field.text(), "must not contain '..'");
    }
}

/// Whether a path has an element `..`.
pub fn has_backsteps(path: &str) -> bool {
    path.split('/').any(|part| part == "..")
}
