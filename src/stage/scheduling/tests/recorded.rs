//! The recorded answers of kube-scheduler 1.36 on the assumed nodes.

use super::{plan, resource};
use crate::cluster::World;
use crate::stage::scheduling::place;
use serde_json::Value;
use std::fs;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/conformance/");

/// Recorded documents that reached the scheduler, with the text of their file.
fn cases() -> Vec<(Value, String)> {
    let lines = fs::read_to_string(format!("{FOLDER}expected.jsonl")).expect("recorded answers");
    let cases = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("a recorded answer"));
    let scheduled = cases.filter(|case| matches!(case["stage"].as_str(), Some("scheduling" | "running")));
    let single = scheduled.filter(|case| case["documents"] == 1);
    single
        .filter_map(|case| {
            let file = format!("{FOLDER}cases/{}", case["case"].as_str()?);
            Some((case, fs::read_to_string(file).ok()?))
        })
        .collect()
}

#[test]
fn places_pods_as_recorded() {
    let world = World::assumed();
    let mut compared = 0;
    for (case, text) in cases() {
        let Some(resource) = resource(&text) else { continue };
        let placement = place(&plan(&resource), &world);
        let name = case["case"].as_str().unwrap_or_default();
        assert_eq!(placement.message.as_deref(), case["message"].as_str(), "{name}");
        let fits: Vec<&str> = placement.nodes.iter().filter(|node| node.fits).map(|node| node.name.as_str()).collect();
        if let Some(feasible) = case["feasible_nodes"].as_array() {
            let feasible: Vec<&str> = feasible.iter().filter_map(Value::as_str).collect();
            assert_eq!(fits, feasible, "{name}");
        }
        match (case["node"].as_str(), fits.len()) {
            (node, 0 | 1) => assert_eq!(placement.node.as_deref(), node, "{name}"),
            (_, _) => assert!(placement.node.is_some_and(|node| fits.contains(&node.as_str())), "{name}"),
        }
        compared += 1;
    }
    assert!(compared > 220, "only {compared} cases were compared");
}
