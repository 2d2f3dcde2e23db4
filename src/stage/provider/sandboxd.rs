//! vk-sandbox's CreatePod.

use super::annotate::supply;
use super::create::{CreatePod, Failure, STATUS, choice, rewrite};
use crate::contract::{Judgement, has_placeholder};
use crate::finding::{Applicability, Outcome, Phase, Shown, Spot, Stage};
use crate::rule::{self, Rule};
use crate::yaml::Node;
use crate::{go, suggest};

const RUNTIME: &str = "sandbox.cocoonstack.io/runtime";
const TEMPLATE: &str = "sandbox.cocoonstack.io/template";
const NET: &str = "sandbox.cocoonstack.io/net";
const SIZE: &str = "sandbox.cocoonstack.io/size";
const TTL: &str = "sandbox.cocoonstack.io/ttl-seconds";

/// Judges one Pod in the provider's own order of checks, then what it lets pass without a word.
pub fn check(create: &mut CreatePod<'_, '_, '_>) {
    refused_runtime(create);
    invalid_ttl(create);
    missing_template(create);
    unknown_pool_value(create, NET, &rule::UNKNOWN_NET);
    unknown_pool_value(create, SIZE, &rule::UNKNOWN_SIZE);
    padded_template(create);
    if create.world.sandboxd_pools.is_empty() {
        template_image_mismatch(create);
    } else {
        unprovisioned_pool(create);
    }
    lease(create);
}

fn refused_runtime(create: &mut CreatePod<'_, '_, '_>) {
    let text = create.source();
    let (Some(meta), Some(spec)) = (create.annotation(RUNTIME), create.spec(RUNTIME)) else { return };
    if spec.judge(&meta.value) != Judgement::Unknown {
        return;
    }
    let near = suggest::nearest(&meta.value, spec.known_values());
    let finding = create.fail(Failure {
        rule: &rule::REFUSED_RUNTIME,
        spot: create.spot(RUNTIME),
        message: format!("{RUNTIME} is {}; a vk-sandbox node serves sandboxd alone", go::quote(&meta.value)),
        words: create.words(spec.refused.as_ref(), spec),
        help: "write sandboxd or leave the annotation out; it picks no backend, the nodeSelector does".into(),
        shown_on: STATUS,
    });
    if let Some(value) = near {
        rewrite(finding, text, meta, safety(&meta.value, value), value);
    }
}

fn invalid_ttl(create: &mut CreatePod<'_, '_, '_>) {
    let text = create.source();
    let (Some(meta), Some(spec)) = (create.annotation(TTL), create.spec(TTL)) else { return };
    if spec.judge(&meta.value) != Judgement::Unknown {
        return;
    }
    let seconds = seconds(&meta.value);
    let help = match seconds {
        Some(seconds) => format!("write \"{seconds}\""),
        None => {
            "write a whole number of seconds from 0 to 86400 in quotes, or leave the annotation out for 24 hours".into()
        }
    };
    let finding = create.fail(Failure {
        rule: &rule::INVALID_TTL,
        spot: create.spot(TTL),
        message: format!("{TTL} is {}, not a whole number of seconds from 0 up", go::quote(&meta.value)),
        words: create.words(spec.refused.as_ref(), spec),
        help,
        shown_on: STATUS,
    });
    if let Some(seconds) = seconds {
        rewrite(finding, text, meta, Applicability::Unsafe, &seconds.to_string());
    }
}

/// The seconds that a text such as `1h`, `90 s` or ` 60` was meant to be.
fn seconds(text: &str) -> Option<i64> {
    let text = text.trim();
    let unit = text.trim_start_matches(|letter: char| letter.is_ascii_digit() || matches!(letter, '_' | ','));
    let number: String = text[..text.len() - unit.len()].chars().filter(char::is_ascii_digit).collect();
    let factor = match unit.trim() {
        "" | "s" | "sec" | "second" | "seconds" => 1,
        "m" | "min" | "minute" | "minutes" => 60,
        "h" | "hour" | "hours" => 3600,
        "d" | "day" | "days" => 86400,
        _ => return None,
    };
    number.parse::<i64>().ok()?.checked_mul(factor)
}

fn missing_template(create: &mut CreatePod<'_, '_, '_>) {
    let Some(spec) = create.spec(TEMPLATE) else { return };
    if create.text(TEMPLATE).is_some() {
        return;
    }
    let image = first_image(create).map(|(image, _)| image);
    let shown = image.unwrap_or("<the pool's template>");
    create.fail(Failure {
        rule: &rule::MISSING_TEMPLATE,
        spot: create.spot(TEMPLATE),
        message: format!(
            "the annotation {TEMPLATE} is {}; vk-sandbox takes the pool from it, not from the image",
            create.state(TEMPLATE)
        ),
        words: create.words(spec.missing.as_ref(), spec),
        help: format!("write {TEMPLATE}: {shown} under {}.annotations", create.subject.plan.metadata_path),
        shown_on: STATUS,
    });
    if let Some(image) = image.filter(|image| !has_placeholder(image)) {
        supply(create, TEMPLATE, image);
    }
}

fn unknown_pool_value(create: &mut CreatePod<'_, '_, '_>, key: &str, rule: &'static Rule) {
    let text = create.source();
    let (Some(meta), Some(spec)) = (create.annotation(key), create.spec(key)) else { return };
    let judgement = spec.judge(&meta.value);
    if matches!(judgement, Judgement::Known | Judgement::Open) {
        return;
    }
    let quoted = go::quote(&meta.value);
    let words = create.words(spec.refused.as_ref(), spec);
    let values = choice(spec.values.iter().map(String::as_str));
    match judgement {
        Judgement::Known | Judgement::Open => {}
        Judgement::Newer => {
            // The contract lists the sizes of every release, so that is what is foreseen.
            let outcome = create.outcome(words).uncertain();
            create.out.stop(outcome.clone());
            create
                .out
                .add(rule, create.spot(key), format!("{key} {quoted} is known to newer sandboxd releases only"))
                .severity(crate::finding::Severity::Warning)
                .help(format!("write {values}, which every release knows"))
                .outcome(outcome);
        }
        Judgement::Unknown => {
            let near = suggest::nearest(&meta.value, spec.known_values());
            let finding = create.fail(Failure {
                rule,
                spot: create.spot(key),
                message: format!("{key} is {quoted}; sandboxd knows {values}, exactly so"),
                words,
                help: format!("write {}", near.map_or(values, str::to_owned)),
                shown_on: STATUS,
            });
            if let Some(value) = near {
                rewrite(finding, text, meta, safety(&meta.value, value), value);
            }
        }
    }
}

/// A value that differs in blanks and case alone is what the author meant.
fn safety(written: &str, value: &str) -> Applicability {
    if written.trim().eq_ignore_ascii_case(value) { Applicability::Safe } else { Applicability::Unsafe }
}

fn padded_template(create: &mut CreatePod<'_, '_, '_>) {
    let text = create.source();
    let Some(meta) = create.annotation(TEMPLATE) else { return };
    let trimmed = meta.value.trim();
    if trimmed.len() == meta.value.len() || has_placeholder(&meta.value) {
        return;
    }
    let words = format!(
        "claim sandbox for {} (template {}): sandboxd: http 500: provisioning failed",
        create.pod(),
        meta.value
    );
    let outcome = create.outcome(words).uncertain();
    let message = format!("{TEMPLATE} is {}; blanks are kept, so it names no pool", go::quote(&meta.value));
    let finding = create.out.add(&rule::PADDED_TEMPLATE, create.spot(TEMPLATE), message);
    finding.outcome(outcome).help("write the template without blanks around it");
    if !trimmed.is_empty() {
        rewrite(finding, text, meta, Applicability::Safe, trimmed);
    }
}

/// Where the pools are known, one of them has the Pod's key.
fn unprovisioned_pool(create: &mut CreatePod<'_, '_, '_>) {
    let pools = &create.world.sandboxd_pools;
    let default = |key| create.spec(key).and_then(|spec| spec.default.as_deref()).unwrap_or_default();
    let value = |key| create.text(key).unwrap_or_else(|| default(key));
    let Some(template) = create.text(TEMPLATE).filter(|_| !create.fails()) else { return };
    let (net, size) = (value(NET), value(SIZE));
    let open = [template, net, size].into_iter().any(has_placeholder);
    if open || pools.iter().any(|pool| pool.template == template && pool.net == net && pool.size == size) {
        return;
    }
    let near = pools.iter().find(|pool| pool.template == template).or_else(|| {
        let name = suggest::nearest(template, pools.iter().map(|pool| pool.template.as_str()))?;
        pools.iter().find(|pool| pool.template == name)
    });
    let help = match near {
        Some(pool) => format!("the nearest pool is template {}, net {}, size {}", pool.template, pool.net, pool.size),
        None => "provision the pool, or name one that the configuration lists".into(),
    };
    let words =
        format!("claim sandbox for {} (template {template}): sandboxd: node at capacity or draining", create.pod());
    let outcome = create.outcome(words).uncertain();
    let message = format!("sandboxd serves no pool of template {template}, net {net}, size {size}");
    create.out.add(&rule::UNPROVISIONED_POOL, create.spot(TEMPLATE), message).outcome(outcome).help(help);
}

fn first_image<'a>(create: &CreatePod<'a, '_, '_>) -> Option<(&'a str, &'a Node<'a>)> {
    let node = create.subject.plan.spec.get("containers")?.items().next()?.get("image")?;
    Some((node.as_str()?, node))
}

/// Legal, but the claim goes by the template: a pool of that name has to exist.
fn template_image_mismatch(create: &mut CreatePod<'_, '_, '_>) {
    let (Some(meta), Some((image, node))) = (create.annotation(TEMPLATE), first_image(create)) else { return };
    let template = meta.value.as_str();
    let images = create.subject.plan.spec.get("containers").into_iter().flat_map(Node::items);
    let same = images.filter_map(|container| container.get("image")?.as_str()).any(|image| image == template);
    if same || has_placeholder(template) || has_placeholder(image) || template.trim() != template {
        return;
    }
    let tag = if with_latest(template) == with_latest(image) { "; with and without the tag are two pools" } else { "" };
    let message = format!("{TEMPLATE} {template} differs from the image {image}{tag}");
    let place = node.place();
    create
        .out
        .add(&rule::TEMPLATE_IMAGE_MISMATCH, create.spot(TEMPLATE), message)
        .related(place, "vk-sandbox does not look at this image")
        .help("keep the two equal unless the pool is built from another reference");
}

fn with_latest(reference: &str) -> String {
    let name = reference.rsplit('/').next().unwrap_or(reference);
    if name.contains([':', '@']) { reference.to_owned() } else { format!("{reference}:latest") }
}

/// What a lease that CreatePod accepts will do to the Pod.
fn lease(create: &mut CreatePod<'_, '_, '_>) {
    let (Some(meta), Some(spec)) = (create.annotation(TTL), create.spec(TTL)) else { return };
    if spec.judge(&meta.value) != Judgement::Known {
        return;
    }
    let Some(seconds) = go::atoi(&meta.value) else { return };
    let spot = create.spot(TTL);
    if seconds == 0 {
        zero_ttl(create, spot);
    } else if spec.clamp_above.is_some_and(|most| seconds > most) {
        ttl_over_maximum(create, spot, &meta.value);
    }
}

fn expired() -> Outcome {
    Outcome::new(Stage::Running, Shown::Pod, Phase::Failed)
        .reason("SandboxLeaseExpired")
        .message("sandbox lease ended at <time>; the microVM is reaped at the deadline")
        .shown_on("Pod status, up to 30 seconds after the deadline")
        .retries("none: the Pod stays Failed; deleting it claims a new microVM")
}

fn zero_ttl(create: &mut CreatePod<'_, '_, '_>, spot: Spot) {
    let message = format!("{TTL} 0 is sandboxd's default lease of five minutes, not a lease without end");
    create
        .out
        .add(&rule::ZERO_TTL, spot, message)
        .outcome(expired())
        .help("leave it out for 24 hours, the longest lease");
}

fn ttl_over_maximum(create: &mut CreatePod<'_, '_, '_>, spot: Spot, written: &str) {
    let message = format!("{TTL} {written} is over sandboxd's maximum and is cut to 86400 (24 hours) without a word");
    create
        .out
        .add(&rule::TTL_OVER_MAXIMUM, spot, message)
        .outcome(expired())
        .help("write \"86400\" or leave it out; a sandbox that has to outlive 24 hours needs another backend");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_meant() {
        let table =
            [("1h", Some(3600)), ("90 s", Some(90)), (" 60", Some(60)), ("1_000", Some(1000)), ("2d", Some(172_800))];
        for (text, meant) in table {
            assert_eq!(seconds(text), meant, "{text}");
        }
        for text in ["-1", "3.5", "1e3", "0x3c", "never", "", "9223372036854775808", "６０"] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }

    #[test]
    fn a_missing_tag_is_latest() {
        assert_eq!(with_latest("a/b"), "a/b:latest");
        assert_eq!(with_latest("reg:5000/b"), "reg:5000/b:latest");
        assert_eq!(with_latest("a/b:1"), "a/b:1");
        assert_eq!(with_latest("a/b@sha256:0"), "a/b@sha256:0");
    }
}
