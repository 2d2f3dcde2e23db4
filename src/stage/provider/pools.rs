//! The hook `sandboxd-pools`: which pool the Pod claims from. It compares with pools that the configuration lists and
//! reads image references, which the data cannot express.

use super::create::CreatePod;
use super::words::first_image;
use crate::contract::has_placeholder;
use crate::yaml::Node;
use crate::{rule, suggest};

const TEMPLATE: &str = "sandbox.cocoonstack.io/template";
const NET: &str = "sandbox.cocoonstack.io/net";
const SIZE: &str = "sandbox.cocoonstack.io/size";

/// Looks for the Pod's pool; where no pools are known, compares its template with its images.
pub fn check(create: &mut CreatePod<'_, '_, '_>) {
    if create.world.sandboxd_pools.is_empty() {
        template_image_mismatch(create);
    } else {
        unprovisioned_pool(create);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_tag_is_latest() {
        assert_eq!(with_latest("a/b"), "a/b:latest");
        assert_eq!(with_latest("reg:5000/b"), "reg:5000/b:latest");
        assert_eq!(with_latest("a/b:1"), "a/b:1");
        assert_eq!(with_latest("a/b@sha256:0"), "a/b@sha256:0");
    }
}
