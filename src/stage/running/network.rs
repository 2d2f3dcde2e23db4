//! The network that the template controller gives a Pod by default.

use super::{Findings, Kind, Node, Spot, Subject, on_kubelet, rule};

/// By default a template's Pods have public DNS only and reach no private address, yet this one names such a place.
pub(super) fn managed_network(subject: &Subject<'_>, out: &mut Findings) {
    let spec = |field: &str| subject.stored.at(&["spec", field]);
    if subject.resource.kind != Kind::SandboxTemplate || !on_kubelet(subject) || spec("networkPolicy").is_some() {
        return;
    }
    if spec("networkPolicyManagement").and_then(Node::as_str) == Some("Unmanaged") {
        return;
    }
    let resolves = subject.plan.spec.get("dnsPolicy").and_then(Node::as_str).is_some_and(|policy| !policy.is_empty());
    let containers = ["initContainers", "containers"];
    let texts = containers.iter().filter_map(|field| subject.plan.spec.get(field)).flat_map(|list| list.items());
    let Some((node, place)) = texts.flat_map(texts_of).find_map(|node| Some((node, private_place(node.as_str()?)?)))
    else {
        return;
    };
    let message = match place {
        Private::Name if resolves => return,
        Private::Name => {
            "names a Service of the cluster, but the template's Pods ask 8.8.8.8 and 1.1.1.1 instead of the cluster's DNS"
        }
        Private::Address => {
            "names a private address, but the default NetworkPolicy of a template lets no Pod reach one"
        }
    };
    let path = subject.plan.path("containers");
    out.add(&rule::MANAGED_NETWORK, Spot::of(node, path), message)
        .help("set spec.networkPolicyManagement: Unmanaged, or write spec.networkPolicy with the egress it needs");
}

/// A NetworkPolicy that the controller never makes, because the template keeps it from making any.
pub(super) fn unused_network_policy(subject: &Subject<'_>, out: &mut Findings) {
    let spec = |field: &str| subject.stored.at(&["spec", field]);
    let unmanaged = spec("networkPolicyManagement").filter(|mode| mode.as_str() == Some("Unmanaged"));
    let template = subject.resource.kind == Kind::SandboxTemplate;
    let (Some(policy), Some(mode), true) = (spec("networkPolicy"), unmanaged, template) else { return };
    let message =
        "networkPolicy has no effect: with networkPolicyManagement Unmanaged the controller makes no NetworkPolicy";
    out.add(&rule::UNUSED_NETWORK_POLICY, Spot::of(policy, subject.resource.path("spec.networkPolicy")), message)
        .help("set spec.networkPolicyManagement to Managed, or write the rules as a NetworkPolicy of your own")
        .related(mode.place(), "leaves the network to others");
}

enum Private {
    Name,
    Address,
}

/// The texts of a container that name places: values of env, command and args.
fn texts_of<'n, 's>(container: &'n Node<'s>) -> impl Iterator<Item = &'n Node<'s>> {
    let values =
        container.get("env").into_iter().flat_map(|env| env.items()).filter_map(|variable| variable.get("value"));
    let words = ["command", "args"].into_iter().filter_map(|field| container.get(field)).flat_map(|list| list.items());
    values.chain(words)
}

fn private_place(text: &str) -> Option<Private> {
    let words = || text.split(|letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-')));
    if words().any(|word| word.ends_with(".svc") || word.ends_with(".svc.cluster.local")) {
        return Some(Private::Name);
    }
    let private = |word: &str| word.parse::<std::net::Ipv4Addr>().is_ok_and(|address| address.is_private());
    words().any(private).then_some(Private::Address)
}
