//! What will happen to the Pods of Kubernetes agent sandboxes, predicted from their manifests alone.
//!
//! A [`Linter`] reads manifests as kubectl does and follows the Pod of each `Sandbox`, `SandboxTemplate`,
//! `SandboxWarmPool` and `SandboxClaim` through every stage up to its node. The [`Report`] holds what is wrong (a
//! [`Finding`] for each cause) and what becomes of each resource (a [`Prediction`]), with the words that the cluster will
//! use. Nothing is read but what is handed over: no file, no network, no cluster.
//!
//! ```
//! use sandbox_lint::finding::{Phase, Severity, Stage};
//! use sandbox_lint::{Linter, Source, World};
//!
//! let manifest = r#"
//! apiVersion: agents.x-k8s.io/v1beta1
//! kind: Sandbox
//! metadata:
//!   name: web
//! spec:
//!   podTemplate:
//!     metadata:
//!       annotations:
//!         sandbox.cocoonstack.io/template: ghcr.io/cocoonstack/sandbox/rt:24.04
//!     spec:
//!       nodeSelector:
//!         sandbox.cocoonstack.io/runtime: sandboxd
//!       containers:
//!         - name: agent
//!           image: ghcr.io/cocoonstack/sandbox/rt:24.04
//! "#;
//! let source = Source::explicit("web.yaml", manifest.into());
//! let report = Linter::new(World::assumed()).check(vec![source]);
//!
//! let finding = &report.findings[0];
//! assert_eq!(finding.rule.name, "missing-toleration");
//! assert_eq!(finding.severity, Severity::Error);
//!
//! let outcome = report.predictions[0].outcome.as_ref().unwrap();
//! assert_eq!((outcome.stage, outcome.phase), (Stage::Scheduling, Phase::Pending));
//! assert!(outcome.message.as_ref().unwrap().starts_with("0/3 nodes are available: "));
//! ```
//!
//! Spans of findings are places in the text of their source. [`report::View`] turns them into lines and columns, and
//! [`report::render`] prints a report in the formats of the command line:
//!
//! ```
//! use sandbox_lint::report::{self, Machine, View, view};
//! use sandbox_lint::{Linter, Source, World};
//!
//! let source = Source::explicit("empty.yaml", b"kind: Sandbox\napiVersion: agents.x-k8s.io/v1beta1\n".to_vec());
//! let report = Linter::new(World::assumed()).check(vec![source]);
//! let texts = view::texts(&report);
//! let view = View::new(&report, &texts);
//! for finding in &report.findings {
//!     let start = view.range_of(finding).start;
//!     println!("{}:{}: {}", start.line, start.column, finding.message);
//! }
//! assert!(report::render(&view, Machine::Concise).starts_with("empty.yaml:"));
//! ```
//!
//! A [`World`] is what the Pods meet: [`World::assumed`], or one with a [`cluster::Snapshot`], the additions of a
//! [`config::Config`], or policies ([`linter::Settings`]).
//!
//! The feature `cli` (on by default) adds the command line and the human report; without it neither clap nor miette is
//! compiled:
//!
//! ```toml
//! sandbox-lint = { version = "0.1", default-features = false }
//! ```

pub mod admission_policy;
pub mod baseline;
#[cfg(feature = "cli")]
pub mod cli;
pub mod cluster;
pub mod config;
pub mod contract;
pub mod draft;
pub mod escape;
pub mod files;
pub mod finding;
pub mod fix;
pub mod fleet;
pub mod go;
pub mod input;
pub mod limits;
pub mod linter;
#[cfg(feature = "lsp")]
pub mod lsp;
pub mod names;
pub mod policy;
pub mod predict;
pub mod quantity;
pub mod report;
pub mod resource;
pub mod rule;
pub mod select;
pub mod settings;
pub mod stage;
pub mod suggest;
pub mod suppress;
pub mod verify;
pub mod why;
pub mod yaml;

pub use cluster::World;
pub use finding::Finding;
pub use input::Source;
pub use linter::{Linter, Report, Skipped, Summary};
pub use predict::Prediction;
