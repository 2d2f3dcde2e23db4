//! Speed of decoding: whole trees with spans and comments, against a parser that only makes events.

use std::fmt::Write;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sandbox_lint::yaml::{Documents, Options};

const SIZE: usize = 10 << 20;

/// A stream of manifests as teams write them: sandboxes, templates, pools, and what stands around them.
fn corpus() -> String {
    let mut text = String::with_capacity(SIZE + 8192);
    for number in 0.. {
        if text.len() >= SIZE {
            break;
        }
        sandbox(&mut text, number).expect("text grows");
        template(&mut text, number).expect("text grows");
        deployment(&mut text, number).expect("text grows");
        config(&mut text, number).expect("text grows");
    }
    text
}

fn sandbox(text: &mut String, number: usize) -> std::fmt::Result {
    write!(
        text,
        r#"---
# The sandbox of agent {number}.
apiVersion: agents.x-k8s.io/v1beta1
kind: Sandbox
metadata:
  name: agent-{number}
  namespace: agents
  labels: {{app: agent, tier: "sandbox", number: "{number}"}}
spec:
  podTemplate:
    metadata:
      annotations:
        sandbox.cocoonstack.io/template: "python-3.12" # what to claim
        sandbox.cocoonstack.io/ttl: "3600"
    spec:
      nodeSelector:
        sandbox.cocoonstack.io/runtime: sandboxd
      tolerations:
        - key: virtual-kubelet.io/provider
          operator: Exists
          effect: NoSchedule
      containers:
        - name: agent
          image: registry.example.com/agents/python:3.12.{number}
          command: ["python", "-m", "agent", "--number", "{number}"]
          env:
            - name: HOME
              value: /home/agent
            - name: TOKEN
              valueFrom:
                secretKeyRef:
                  name: agent-token
                  key: token
          resources:
            requests: {{cpu: 500m, memory: 1Gi}}
            limits:
              cpu: "2"
              memory: 4Gi
"#
    )
}

fn template(text: &mut String, number: usize) -> std::fmt::Result {
    write!(
        text,
        r#"---
apiVersion: extensions.agents.x-k8s.io/v1beta1
kind: SandboxTemplate
metadata:
  name: template-{number}
spec:
  podTemplate:
    spec:
      automountServiceAccountToken: false
      containers:
      - name: runtime
        image: ghcr.io/example/runtime:v{number}
        ports:
        - containerPort: 8888
          protocol: TCP
        volumeMounts:
        - name: workspace
          mountPath: /workspace
      volumes:
      - name: workspace
        emptyDir: {{}}
---
apiVersion: extensions.agents.x-k8s.io/v1beta1
kind: SandboxWarmPool
metadata:
  name: pool-{number}
spec:
  replicas: 3
  sandboxTemplateRef:
    name: template-{number}
"#
    )
}

fn deployment(text: &mut String, number: usize) -> std::fmt::Result {
    write!(
        text,
        r#"---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-{number}
  annotations:
    description: 'A web front end, in front of agent {number}'
spec:
  replicas: 2
  selector:
    matchLabels:
      app: web-{number}
  template:
    metadata:
      labels:
        app: web-{number}
    spec:
      containers:
        - name: web
          image: nginx:1.27
          livenessProbe:
            httpGet:
              path: /healthz
              port: 8080
            initialDelaySeconds: 10
            periodSeconds: 5
"#
    )
}

fn config(text: &mut String, number: usize) -> std::fmt::Result {
    write!(
        text,
        r#"---
apiVersion: v1
kind: ConfigMap
metadata:
  name: config-{number}
data:
  run.sh: |
    #!/bin/sh
    set -eu
    for step in prepare build test; do
      echo "step $step of {number}"
      ./scripts/"$step".sh --verbose
    done
  settings.json: |-
    {{
      "number": {number},
      "log": {{"level": "info", "file": "/var/log/agent.log"}}
    }}
"#
    )
}

fn decoding(criterion: &mut Criterion) {
    let text = corpus();
    let mut group = criterion.benchmark_group("10 MB of manifests");
    group.throughput(Throughput::Bytes(text.len() as u64)).sample_size(10);
    group.bench_function("trees, spans, comments (ours)", |bencher| {
        bencher.iter(|| {
            let documents = Documents::new(&text, &Options::default());
            documents
                .map(|document| {
                    document.root().map(|root| root.entries().count()).expect("valid") + document.comments.len()
                })
                .sum::<usize>()
        });
    });
    group.bench_function("events only (rlsp-yaml-parser)", |bencher| {
        bencher.iter(|| {
            rlsp_yaml_parser::parse_events(&text).fold(0, |count, event| count + usize::from(black_box(event).is_ok()))
        });
    });
    group.finish();
}

criterion_group!(benches, decoding);
criterion_main!(benches);
