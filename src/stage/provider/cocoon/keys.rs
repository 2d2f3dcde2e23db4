//! The annotations that vk-cocoon reads (contract.md §2).

pub(crate) const NAME: &str = "vm.cocoonstack.io/name";
pub(crate) const ID: &str = "vm.cocoonstack.io/id";
pub(crate) const IP: &str = "vm.cocoonstack.io/ip";
pub(crate) const FORK_FROM: &str = "vm.cocoonstack.io/fork-from";
pub(crate) const CLONE_FROM_DIR: &str = "vm.cocoonstack.io/clone-from-dir";
pub(crate) const BACKEND: &str = "vm.cocoonstack.io/backend";
pub(crate) const NO_DIRECT_IO: &str = "vm.cocoonstack.io/no-direct-io";
pub(crate) const PROBE_PORT: &str = "vm.cocoonstack.io/probe-port";
pub(crate) const CONN_TYPE: &str = "vm.cocoonstack.io/conn-type";
pub(crate) const HIBERNATE: &str = "vm.cocoonstack.io/hibernate";
pub(crate) const MANAGED: &str = "cocoonset.cocoonstack.io/managed";
pub(crate) const MODE: &str = "cocoonset.cocoonstack.io/mode";
pub(crate) const IMAGE: &str = "cocoonset.cocoonstack.io/image";
pub(crate) const OS: &str = "cocoonset.cocoonstack.io/os";
pub(crate) const STORAGE: &str = "cocoonset.cocoonstack.io/storage";
pub(crate) const NETWORK: &str = "cocoonset.cocoonstack.io/network";
pub(crate) const SNAPSHOT_POLICY: &str = "cocoonset.cocoonstack.io/snapshot-policy";
pub(crate) const FORCE_PULL: &str = "cocoonset.cocoonstack.io/force-pull";
pub(crate) const CPU_CLASS: &str = "cocoonstack.io/snapshot-cpu-class";
pub(crate) const VNC_PORT: &str = "vm.cocoonstack.io/vnc-port";
