/** How the contract's values are shown: always with a shape and a label, colour only third. */

const badge = (tone, symbol, word) => ({ tone, symbol, word });

const BADGES = {
  state: {
    Unauthorized: badge("lock", "m-unauthorized", "Unauthorized"),
    Unreachable: badge("bad", "m-unreachable", "Unreachable"),
    Degraded: badge("warn", "m-degraded", "Degraded"),
    Connecting: badge("quiet", "m-connecting", "Connecting"),
    Paused: badge("quiet", "m-paused", "Paused"),
    Synced: badge("ok", "m-synced", "Synced"),
    Closed: badge("quiet", "m-waiting", "Closed"),
  },
  newNodes: {
    Blocked: badge("bad", "m-blocked", "Blocked"),
    Outdated: badge("warn", "m-outdated", "Outdated"),
    AtRisk: badge("warn", "m-risk", "At risk"),
    Pending: badge("quiet", "m-waiting", "Publishing"),
    Current: badge("ok", "m-synced", "Current"),
  },
  verdict: {
    Current: badge("ok", "m-synced", "New nodes start"),
    AtRisk: badge("warn", "m-risk", "New nodes start, but will stop soon"),
    Outdated: badge("warn", "m-outdated", "New nodes start with an older configuration"),
    Blocked: badge("bad", "m-blocked", "New nodes do not start"),
    Pending: badge("quiet", "m-waiting", "Unknown"),
  },
  link: {
    Ok: badge("ok", "m-synced", "Ok"),
    Broken: badge("bad", "m-unreachable", "Broken"),
    OlderKept: badge("warn", "m-outdated", "Older kept"),
    Waiting: badge("quiet", "m-waiting", "Waiting"),
    Unknown: badge("quiet", "m-unknown", "Not known"),
  },
  severity: {
    Error: badge("bad", "m-blocked", "Error"),
    Warning: badge("warn", "m-degraded", "Warning"),
    Info: badge("quiet", "m-info", "Info"),
  },
  status: {
    True: badge("ok", "m-synced", "True"),
    False: badge("warn", "m-degraded", "False"),
    Unknown: badge("quiet", "m-unknown", "Unknown"),
  },
  valid: {
    True: badge("ok", "m-synced", "Verified"),
    False: badge("bad", "m-blocked", "Not valid"),
    Unknown: badge("quiet", "m-unknown", "Not verified yet"),
  },
  result: {
    Published: badge("ok", "m-synced", "Published"),
    Refused: badge("bad", "m-blocked", "Rejected"),
    Restored: badge("ok", "m-synced", "Restored"),
    Adopted: badge("ok", "m-synced", "Adopted"),
    Kept: badge("quiet", "m-synced", "Kept"),
  },
  secret: {
    Current: badge("ok", "m-synced", "Current"),
    OlderKept: badge("warn", "m-outdated", "Older kept"),
    Missing: badge("bad", "m-blocked", "Missing"),
  },
  check: {
    Ok: badge("ok", "m-synced", "Passed"),
    Failed: badge("bad", "m-blocked", "Failed"),
    Warning: badge("warn", "m-degraded", "Warning"),
    Skipped: badge("quiet", "m-waiting", "Skipped"),
  },
  change: {
    Changed: badge("quiet", "m-outdated", "Changed"),
    Repaired: badge("ok", "m-synced", "Repaired"),
    Same: badge("quiet", "m-synced", "Same"),
    Refused: badge("bad", "m-blocked", "Rejected"),
  },
};

/** States of worker clusters and effects on new nodes, worst first. */
export const STATES = Object.keys(BADGES.state);
export const NEW_NODES = Object.keys(BADGES.newNodes);
export const SEVERITIES = Object.keys(BADGES.severity);
export const ACTORS = ["tenant", "operator", "hub"];

/** The badge of a value of one of the contract's enums; unknown values look like an unknown state. */
export const badgeOf = (list, value) => BADGES[list][value] ?? badge("quiet", "m-unknown", value || "Not known");

/** Who acts, as a label. */
export const actorWord = (actor) => ({ tenant: "Tenant", operator: "Operator", hub: "The hub" })[actor] ?? actor ?? "";

/** Who acts, as a sentence. */
export const actorSentence = (actor) => ({
  tenant: "The tenant must act. This page updates within seconds of the fix.",
  operator: "A platform operator must act. This page updates within seconds of the fix.",
  hub: "This is a bug in the hub; report it.",
})[actor] ?? "No action needed.";

/** Labels of the chain's links, of documents, and of the roles of a MachineDeployment's objects. */
export const LINKS = {
  Profile: "Profile",
  RenderedConfig: "Rendered config",
  ProvisioningSecret: "Provisioning secret",
  BootstrapSecret: "Bootstrap secret",
  BootstrapToken: "Bootstrap token",
  WorkerConnection: "Worker connection",
  MachineControllerPickUp: "machine-controller pick-up",
};
export const DOCUMENTS = {
  Bootstrap: "Bootstrap",
  Provisioning: "Provisioning",
  KubeletBootstrap: "Kubelet kubeconfig",
  EdgeScript: "Edge script",
  OperatingSystemConfig: "Rendered config",
};
export const ROLES = {
  Bootstrap: "Bootstrap secret",
  Provisioning: "Provisioning secret",
  KubeletBootstrap: "Kubelet kubeconfig",
  BootstrapToken: "Bootstrap token",
};
