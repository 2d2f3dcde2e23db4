//! Volumes whose files come of the Pod itself, or of several sources.

use super::field::Field;
use super::field_ref::{VOLUME_FIELDS, object_field, resource_field};
use super::files::{file_mode, file_path, key_to_path, required};
use super::message::Errors;

/// Checks a `downwardAPI` volume.
pub fn downward_api(source: &Field<'_>, errors: &mut Errors) {
    file_mode(&source.child("defaultMode"), errors);
    for file in source.child("items").items() {
        downward_file(source, &file, errors);
    }
}

/// The server names the source, not the file, in errors of a file.
fn downward_file(source: &Field<'_>, file: &Field<'_>, errors: &mut Errors) {
    let file = file.shown_as(source.shown());
    required(&file, &["path"], errors);
    file_path(&file.child("path"), errors);
    let (field, resource) = (file.child("fieldRef"), file.child("resourceFieldRef"));
    if field.is_set() {
        object_field(&field, &VOLUME_FIELDS, errors);
        if resource.is_set() {
            errors.invalid(&file, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously");
        }
    } else if resource.is_set() {
        resource_field(&resource, true, errors);
    } else {
        errors.required(&file, "one of fieldRef and resourceFieldRef is required");
    }
    file_mode(&file.child("mode"), errors);
}

/// Checks a `projected` volume. Trust bundles and Pod certificates are dropped where their features are off, as they are by default.
pub fn projected(source: &Field<'_>, errors: &mut Errors) {
    file_mode(&source.child("defaultMode"), errors);
    let mut paths: Vec<&str> = Vec::new();
    for entry in source.child("sources").items() {
        let mut count = 0;
        for kind in ["secret", "configMap"].map(|kind| entry.child(kind)).iter().filter(|kind| kind.is_set()) {
            count += 1;
            required(kind, &["name"], errors);
            for item in kind.child("items").items() {
                key_to_path(&item, errors);
                conflicting_path(source, &item.child("path"), kind.child("name").text(), &mut paths, errors);
            }
        }
        let downward = entry.child("downwardAPI");
        if downward.is_set() {
            count += 1;
            for file in downward.child("items").items() {
                downward_file(&downward, &file, errors);
                let path = file.child("path");
                conflicting_path(source, &path, path.text(), &mut paths, errors);
            }
        }
        let token = entry.child("serviceAccountToken");
        if token.is_set() {
            count += 1;
            service_account_token(source, &token, errors);
        }
        if count > 1 {
            errors.forbidden(&entry, "may not specify more than 1 volume type per source");
        }
    }
}

fn conflicting_path<'n>(
    source: &Field<'_>,
    path: &Field<'n>,
    bad: &str,
    paths: &mut Vec<&'n str>,
    errors: &mut Errors,
) {
    if path.text().is_empty() {
        return;
    }
    if paths.contains(&path.text()) {
        errors.invalid(&path.shown_as(source.shown()), bad, "conflicting duplicate paths");
    }
    paths.push(path.text());
}

fn service_account_token(source: &Field<'_>, token: &Field<'_>, errors: &mut Errors) {
    let expiration = token.child("expirationSeconds");
    let seconds = expiration.int().unwrap_or(3600);
    if seconds < 600 {
        errors.invalid(&expiration, seconds, "may not specify a duration less than 10 minutes");
    }
    if seconds > 1 << 32 {
        errors.invalid(&expiration, seconds, "may not specify a duration larger than 2^32 seconds");
    }
    let path = token.child("path").shown_as(format!("{}.path", source.shown()));
    if path.text().is_empty() {
        errors.required(&path, "");
    } else {
        file_path(&path, errors);
    }
}
