//! Files that a volume makes of keys: their paths and modes.

use super::field::Field;
use super::message::Errors;
use super::path::local_path;

const FILE_MODE: &str = "must be a number between 0 and 0777 (octal), both inclusive";

/// Each of these texts must be there.
pub fn required(source: &Field<'_>, names: &[&str], errors: &mut Errors) {
    for field in names.iter().map(|name| source.child(name)) {
        if field.text().is_empty() {
            errors.required(&field, "");
        }
    }
}

/// `defaultMode` or `mode`.
pub fn file_mode(mode: &Field<'_>, errors: &mut Errors) {
    if let Some(number) = mode.int().filter(|number| !(0..=0o777).contains(number)) {
        let cause = errors.invalid(mode, number, FILE_MODE);
        let octal: String = number.to_string();
        if let (Ok(meant), 3..=4) = (i64::from_str_radix(&octal, 8), octal.len()) {
            if meant <= 0o777 {
                cause.help(format!("write 0{} for the octal mode {octal}", octal.trim_start_matches('0')));
            }
        } else {
            cause.help("write the mode in octal with a leading zero, such as 0644");
        }
    }
}

/// A Secret or ConfigMap as files.
pub fn keyed_files(source: &Field<'_>, name: &str, errors: &mut Errors) {
    required(source, &[name], errors);
    file_mode(&source.child("defaultMode"), errors);
    for item in source.child("items").items() {
        key_to_path(&item, errors);
    }
}

/// A key of a Secret or ConfigMap as a file.
pub fn key_to_path(item: &Field<'_>, errors: &mut Errors) {
    required(item, &["key", "path"], errors);
    file_path(&item.child("path"), errors);
    file_mode(&item.child("mode"), errors);
}

/// A path below the volume that does not begin with `..`, as those names are the kubelet's own.
pub fn file_path(path: &Field<'_>, errors: &mut Errors) {
    local_path(path, errors);
    if path.text().starts_with("..") && !path.text().starts_with("../") {
        errors.invalid(path, path.text(), "must not start with '..'");
    }
}
