package io.osmhub.core.problem;

import static io.osmhub.core.problem.Actor.OPERATOR;
import static io.osmhub.core.problem.Actor.TENANT;
import static io.osmhub.core.problem.Category.CONNECTION;
import static io.osmhub.core.problem.Category.CREDENTIALS;
import static io.osmhub.core.problem.Category.MACHINE;
import static io.osmhub.core.problem.Category.OWNERSHIP;
import static io.osmhub.core.problem.Category.PROFILE;
import static io.osmhub.core.problem.Category.PUBLISH;
import static io.osmhub.core.problem.Category.SETTINGS;
import static io.osmhub.core.problem.Category.SUMMARY;
import static io.osmhub.core.problem.Category.TOKEN;
import static io.osmhub.core.problem.Reason.LinkName.BOOTSTRAP_SECRET;
import static io.osmhub.core.problem.Reason.LinkName.BOOTSTRAP_TOKEN;
import static io.osmhub.core.problem.Reason.LinkName.MACHINE_CONTROLLER_PICK_UP;
import static io.osmhub.core.problem.Reason.LinkName.PROVISIONING_SECRET;
import static io.osmhub.core.problem.Reason.LinkName.RENDERED_CONFIG;
import static io.osmhub.core.problem.Reason.LinkName.WORKER_CONNECTION;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Every reason in conditions, Events, metrics and the console. A constant is named exactly as users read
 * it, so that a reason seen in a cluster is found here by a search. Each has: who acts and its category, where
 * it shows and who gets the Event; when it is set; when it is cleared; and the message, with its variables in braces.
 */
public enum Reason {
    // Summary and positive reasons
    Serving(
            info(Actor.HUB, SUMMARY).at("WC/Ready=True"),
            "CredentialsValid, Connected and Synced are all True",
            "one of them is not",
            "{tenant}: WorkerCluster {wc}: all MachineDeployments with a profile are current ({n})"),
    CredentialsAccepted(
            info(Actor.HUB, CREDENTIALS).at("WC/CredentialsValid=True"),
            "the API server accepted the credential and grants every required permission",
            "another reason applies",
            "{tenant}: WorkerCluster {wc}: signed in as {user}"),
    CredentialsNotChecked(
            info(Actor.HUB, CREDENTIALS).at("WC/CredentialsValid=Unknown"),
            "registered, not tested yet",
            "the API server responds",
            "{tenant}: WorkerCluster {wc}: the kubeconfig in Secret {secret} has not been tested yet"),
    ConnectionEstablished(
            info(Actor.HUB, CONNECTION).at("WC/Connected=True"),
            "TLS verified and first response received",
            "another reason applies",
            "{tenant}: WorkerCluster {wc}: connected to {endpoint} ({version})"),
    Connecting(
            info(Actor.HUB, CONNECTION).at("WC/Connected=Unknown"),
            "first attempt in progress",
            "first attempt ends",
            "{tenant}: WorkerCluster {wc}: connecting to {endpoint}"),
    MachineDeploymentsCurrent(
            info(Actor.HUB, PUBLISH).at("WC/Synced=True"),
            "every MachineDeployment with a profile is Current",
            "one is not",
            "{tenant}: WorkerCluster {wc}: all MachineDeployments with a profile are current ({n})"),
    InitialSyncPending(
            info(Actor.HUB, PUBLISH).at("WC/Synced=Unknown"),
            "connected, initial lists not complete",
            "caches synced and every key reconciled once",
            "{tenant}: WorkerCluster {wc}: reading MachineDeployments and secrets"),
    Paused(
            attributes(Severity.INFO, OPERATOR, SUMMARY, WORKER_CONNECTION)
                    .at("WC/Synced=False", "WC/Ready=False")
                    .event("WC"),
            "spec.paused is true, or the Secret with the kubeconfig is missing",
            "spec.paused is false and the Secret exists",
            "{tenant}: WorkerCluster {wc}, {field}: the hub writes nothing, bootstrap tokens expire from {time}; {cure}"),
    TemplatesVerified(
            info(Actor.HUB, PROFILE).at("OSP/Valid=True"),
            "every template parses and the dry run over the profile's matrix gave no error",
            "content changes",
            "{tenant}: OperatingSystemProfile {osp}: {n} templates verified ({engine})"),
    VerificationPending(
            info(Actor.HUB, PROFILE).at("OSP/Valid=Unknown"),
            "seen, not compiled yet",
            "compiled",
            "{tenant}: OperatingSystemProfile {osp}: not verified yet"),
    RenderedFromProfile(
            info(Actor.HUB, PROFILE).at("OSC/Rendered=True"),
            "the stored spec matches the rendered profile",
            "another reason applies",
            "{tenant}: OperatingSystemConfig {osc}: rendered from {osp} {version} for revision {revision}"),
    SecretsPublished(
            info(Actor.HUB, PUBLISH).at("OSC/Published=True"),
            "bootstrap and provisioning secrets are up to date",
            "another reason applies",
            "{tenant}: OperatingSystemConfig {osc}: bootstrap {bytes} of {limit}, provisioning {bytes2} published"),
    TokenRenewed(
            info(Actor.HUB, TOKEN).at("OSC/TokenValid=True"),
            "token and kubelet bootstrap kubeconfig match and at least 20 min are left",
            "another reason applies",
            "{tenant}: OperatingSystemConfig {osc}: nodes can join; the token is kept valid for at least 20 min"),
    Available(
            info(Actor.HUB, SUMMARY).at("OSC/Ready=True"),
            "Rendered, Published and TokenValid are True",
            "one of them is not",
            "{tenant}: OperatingSystemConfig {osc}: new nodes of {md} start with profile {osp} {version}"),

    // Credentials of a worker cluster
    KubeconfigSecretNotFound(
            error(OPERATOR, CREDENTIALS).at("WC/CredentialsValid=False").event("WC"),
            "the Secret of spec.kubeconfigSecretRef.name does not exist",
            "the Secret exists",
            "{tenant}: WorkerCluster {wc}, spec.kubeconfigSecretRef.name: no Secret {secret}; store a kubeconfig: hub cluster rotate {wc} -n {tenant} --kubeconfig FILE"),
    KubeconfigKeyNotFound(
            error(OPERATOR, CREDENTIALS).at("WC/CredentialsValid=False").event("WC"),
            "the Secret has neither the named key nor kubeconfig nor value",
            "the key exists",
            "{tenant}: Secret {secret}: no key {key}, it has {keys}; put the kubeconfig under kubeconfig, or name the key in spec.kubeconfigSecretRef.key"),
    KubeconfigInvalid(
            error(OPERATOR, CREDENTIALS).at("WC/CredentialsValid=False").event("WC"),
            "not a kubeconfig, no or several usable contexts, no CA, no credential, key does not match the certificate",
            "the Secret is fixed",
            "{tenant}: Secret {secret}, {field}: {what}; {cure}"),
    KubeconfigFieldRefused(
            error(OPERATOR, CREDENTIALS).at("WC/CredentialsValid=False").event("WC"),
            "a field that would run a program, read a file or weaken TLS (exec, auth-provider, a path, proxy-url, insecure-skip-tls-verify, impersonation, basic auth, tls-server-name)",
            "the Secret is fixed",
            "{tenant}: Secret {secret}, {field}: not allowed in the hub, {why}; {cure}"),
    EndpointRefused(
            error(OPERATOR, CREDENTIALS).at("WC/CredentialsValid=False").event("WC"),
            "the server resolves to an address that the egress policy rejects (loopback, link-local, metadata, the management cluster itself)",
            "the server or the policy changes",
            "{tenant}: Secret {secret}, clusters[0].cluster.server: {host} is {address}, a {class} address; use a reachable one, or allow it in kubeconfigPolicy"),
    NewCredentialsUnproven(
            error(OPERATOR, CREDENTIALS).at("WC/CredentialsValid=False").event("WC"),
            "the Secret changed, the new credential failed its test (TLS, SelfSubjectAccessReview); the old one stays in use",
            "a credential passes the test",
            "{tenant}: Secret {secret}: the new kubeconfig failed its test ({cause}), the previous one stays in use{until}; store a working one: hub cluster rotate {wc} -n {tenant} --kubeconfig FILE"),
    CredentialsRejected(
            error(OPERATOR, CREDENTIALS).at("WC/CredentialsValid=False").event("WC"),
            "the API server returns 401",
            "a new credential passes the test",
            "{tenant}: WorkerCluster {wc}: {endpoint} rejected the credential of Secret {secret} (401); store a new kubeconfig: hub cluster rotate {wc} -n {tenant} --kubeconfig FILE"),
    CredentialsExpired(
            error(OPERATOR, CREDENTIALS).at("WC/CredentialsValid=False").event("WC"),
            "the client certificate or token has expired",
            "a new credential passes the test",
            "{tenant}: Secret {secret}: the {kind} expired {time}; store a new kubeconfig: hub cluster rotate {wc} -n {tenant} --kubeconfig FILE"),
    CredentialsExpiring(
            warning(OPERATOR, CREDENTIALS).at("WC/CredentialsValid=True").event("WC"),
            "14 days or less remain (Scoped: a third of its lifetime or less)",
            "a new credential",
            "{tenant}: Secret {secret}: the {kind} expires {time}, in {duration}; store a new kubeconfig: hub cluster rotate {wc} -n {tenant} --kubeconfig FILE"),
    CredentialsRenewalFailed(
            warning(OPERATOR, CREDENTIALS).at("WC/CredentialsValid=True").event("WC"),
            "a scoped token could not be renewed 3 times in a row; it still works",
            "a renewal succeeds",
            "{tenant}: WorkerCluster {wc}, spec.credentials: TokenRequest for ServiceAccount {sa} failed ({cause}), the token expires {time}; restore the ServiceAccount and its Role: hub cluster test {wc} -n {tenant}"),
    PermissionsMissing(
            error(OPERATOR, CREDENTIALS).at("WC/CredentialsValid=False").event("WC"),
            "SelfSubjectRulesReview lacks a required permission",
            "granted (checked on connect and after each 403)",
            "{tenant}: WorkerCluster {wc}: {user} may not {first}{more}; apply the worker role: hub cluster rbac {wc} -n {tenant} | kubectl apply -f -"),
    TenantPermissionsMissing(
            error(OPERATOR, CREDENTIALS).at("WC/CredentialsValid=False", "Hub").event("WC", "Hub"),
            "the hub lacks a permission in a tenant's namespace of the management cluster",
            "granted",
            "{tenant}: management cluster: {user} may not {first}{more}: {cause}; grant it: {cure}"),
    LocalTargetRefused(
            error(OPERATOR, CREDENTIALS).at("WC/CredentialsValid=False").event("WC"),
            "spec.target is ManagementCluster outside the single-cluster mode or outside the hub's own namespace",
            "deleted",
            "{tenant}: WorkerCluster {wc}, spec.target: ManagementCluster works only with hub run --single, in namespace {namespace}; delete it and register a kubeconfig"),

    // Connection to a worker cluster
    EndpointNotResolved(
            error(OPERATOR, CONNECTION).at("WC/Connected=False").event("WC"),
            "DNS cannot resolve the server's name",
            "it resolves",
            "{tenant}: WorkerCluster {wc}: {host} does not resolve ({cause}); check the name in Secret {secret} and the hub's DNS"),
    WorkerClusterUnreachable(
            error(OPERATOR, CONNECTION).at("WC/Connected=False").event("WC"),
            "connection refused, reset or timed out",
            "a connection is established",
            "{tenant}: WorkerCluster {wc}: no connection to {endpoint} ({cause}) since {time}; check that the API server runs and the network path is open: hub cluster test {wc} -n {tenant}"),
    WorkerClusterNotResponding(
            error(OPERATOR, CONNECTION).at("WC/Connected=False").event("WC"),
            "HTTP/2 pings unanswered for 30 s, at least three, on an open connection",
            "a ping or request is answered",
            "{tenant}: WorkerCluster {wc}: {endpoint} has not responded since {time}; check firewalls and the API server's load: hub cluster test {wc} -n {tenant}"),
    TLSVerificationFailed(
            error(OPERATOR, CONNECTION).at("WC/Connected=False").event("WC"),
            "the server's certificate is not signed by the kubeconfig's CA, has another name, or is not valid now",
            "a handshake succeeds",
            "{tenant}: WorkerCluster {wc}: certificate of {endpoint}: {cause}, expected CA {fingerprint}, got {fingerprint2}; put the right certificate-authority-data into Secret {secret}"),
    WorkerClusterDegraded(
            warning(OPERATOR, CONNECTION, WORKER_CONNECTION)
                    .at("WC/Connected=True")
                    .event("WC"),
            "over 1 min, 20 % of the requests got 429 or 5xx",
            "below 5 % for 1 min",
            "{tenant}: WorkerCluster {wc}: {endpoint} returned {codes} for {n} of {m} requests in the last minute, the hub sends fewer requests; check the API server's load"),
    WorkerClusterThrottled(
            warning(OPERATOR, CONNECTION, WORKER_CONNECTION)
                    .at("WC/Connected=True", "WC/Connected=False")
                    .event("WC"),
            "over 1 min, 20 % of the requests got 429 and none got 5xx, or a new connection got 429",
            "below 5 % for 1 min, or the connection is established",
            "{tenant}: WorkerCluster {wc}: {endpoint} throttles the hub ({cause}), the hub sends fewer requests at a time for all tenants of this API server; raise the API server's limits for the hub's user (a separate FlowSchema and PriorityLevelConfiguration)"),
    ClusterIdentityChanged(
            error(OPERATOR, CONNECTION).at("WC/Connected=False").event("WC"),
            "the UID of kube-system differs from status.clusterID",
            "the old cluster responds again or the new one is accepted",
            "{tenant}: WorkerCluster {wc}: {endpoint} is another cluster than before ({id2} instead of {id}), nothing is written; if it was rebuilt, accept it: kubectl annotate wc {wc} -n {tenant} osmhub.io/accept-cluster-id={id2}"),
    WorkerVersionUnsupported(
            warning(OPERATOR, CONNECTION).at("WC").event("WC"),
            "the worker's Kubernetes is older than 1.28",
            "upgraded",
            "{tenant}: WorkerCluster {wc}: Kubernetes {version} is older than v1.28, the oldest that the hub is tested with; upgrade the cluster"),
    WorkerClockSkewed(
            warning(OPERATOR, CONNECTION).at("WC").event("WC"),
            "the worker's clock differs from the hub's by more than 2 min",
            "less than 1 min",
            "{tenant}: WorkerCluster {wc}: its clock is {duration} {direction}, tokens may expire early or late; fix time synchronization"),

    // Registration and tenant
    RegistrationConflict(
            error(OPERATOR, SETTINGS, WORKER_CONNECTION).at("Secret").event("Secret"),
            "a labelled Secret names a WorkerCluster that refers to another Secret",
            "label or reference changes",
            "{tenant}: Secret {secret}, label osmhub.io/worker-cluster: WorkerCluster {wc} already uses Secret {secret2}; change spec.kubeconfigSecretRef.name or the label"),
    TenantNamespaceTaken(
            error(OPERATOR, SETTINGS, WORKER_CONNECTION).at("WC/Synced=False").event("WC"),
            "the namespace has an older WorkerCluster",
            "the older one is deleted",
            "{tenant}: WorkerCluster {wc}: namespace {tenant} already belongs to WorkerCluster {wc2}, a namespace is one tenant; register this one in another namespace"),
    WorkerClusterDuplicate(
            error(OPERATOR, OWNERSHIP, WORKER_CONNECTION).at("WC/Synced=False").event("WC"),
            "a WorkerCluster in another namespace had the same clusterID first or was confirmed by an operator",
            "the other one is deleted, or an operator confirms this one",
            "{tenant}: WorkerCluster {wc}: another tenant registered the worker cluster with this ID ({id}) first, nothing is written; delete one of the two registrations, or confirm the owner as a cluster operator: kubectl label namespace TENANT osmhub.io/cluster-id={id}"),
    WorkerClusterContested(
            warning(OPERATOR, OWNERSHIP).at("WC").event("WC"),
            "another tenant's API server reports the clusterID of this WorkerCluster",
            "at once",
            "{tenant}: WorkerCluster {wc}: the API server of another tenant's kubeconfig reports the same ID ({id}), this registration stays active; if the worker cluster belongs to this tenant alone, have a cluster operator confirm it: kubectl label namespace {tenant} osmhub.io/cluster-id={id}"),
    PeerControllerActive(
            error(OPERATOR, OWNERSHIP, WORKER_CONNECTION).at("WC/Synced=False").event("WC"),
            "operating-system-manager's Lease in the worker or tenant namespace was renewed within its duration of 15 s, or its field manager wrote one of our objects",
            "no renewal for its duration, or it is released",
            "{tenant}: WorkerCluster {wc}: operating-system-manager is still running (Lease {lease}, holder {holder}), nothing is written; scale it to 0, the hub takes over at most 25 s later"),
    SettingsInvalid(
            error(OPERATOR, SETTINGS).at("WC/Synced=False").event("WC"),
            "a check of settings.md section 4 fails",
            "all checks pass",
            "{tenant}: WorkerCluster {wc}, {field}: {what}; {cure}{more}"),
    SettingsReferenceNotFound(
            error(OPERATOR, SETTINGS).at("WC/Synced=False").event("WC"),
            "a Secret, ConfigMap or key named by a setting is missing",
            "it exists",
            "{tenant}: WorkerCluster {wc}, {field}: no {kind} {name} with key {key} in namespace {tenant}; create it, or correct the reference"),
    RegistryCredentialsInvalid(
            error(OPERATOR, SETTINGS).at("WC/Synced=False").event("WC"),
            "the registry credentials Secret cannot be parsed",
            "fixed",
            "{tenant}: Secret {secret}, key {key}: {what}; expected .dockerconfigjson with auths, or one JSON object for each registry"),
    ObjectUnreadable(
            error(TENANT, PUBLISH, RENDERED_CONFIG)
                    .at("WC/Synced=False", "OSP/Valid=False", "OSC/Rendered=False", "MD", "Hub")
                    .event("WC", "OSP", "MD"),
            "the hub skips an object of its worker or management cluster, because it exceeds a limit (100,000 values, 1,000 levels, 4 MiB, numbers of 1,000 digits) or has a value of the wrong type",
            "the object can be read, or is deleted",
            "{tenant}: {kind} {name}: cannot be read ({cause}), what depends on it stays unchanged; {cure}"),
    WorkerNamespaceMissing(
            error(OPERATOR, SETTINGS, PROVISIONING_SECRET).at("WC/Synced=False").event("WC"),
            "the worker cluster has no namespace cloud-init-settings",
            "it exists",
            "{tenant}: WorkerCluster {wc}: no namespace cloud-init-settings in the worker cluster; create it: hub cluster prepare {wc} -n {tenant}"),
    GetterTokenMissing(
            error(OPERATOR, SETTINGS).at("WC/Synced=False").event("WC"),
            "nodeFetch needs the shared token and Secret cloud-init-getter-token or its key token is missing",
            "it exists",
            "{tenant}: worker cluster, Secret cloud-init-settings/cloud-init-getter-token: {what}; create ServiceAccount, Role and token Secret: hub cluster prepare {wc} -n {tenant}"),
    MachineDeploymentAPIMissing(
            warning(OPERATOR, SETTINGS, MACHINE_CONTROLLER_PICK_UP)
                    .at("WC/Synced=False")
                    .event("WC"),
            "the worker does not serve cluster.k8s.io/v1alpha1 MachineDeployments",
            "fixed",
            "{tenant}: WorkerCluster {wc}: the worker cluster has no MachineDeployments (cluster.k8s.io/v1alpha1); install machine-controller"),
    APIServerEndpointMissing(
            error(OPERATOR, SETTINGS).at("WC/Synced=False").event("WC"),
            "no apiServerURL, no cluster-info ConfigMap and no ready EndpointSlice",
            "one of them exists",
            "{tenant}: WorkerCluster {wc}: no address for nodes: ConfigMap kube-public/cluster-info is missing and Service default/kubernetes has no ready endpoint; set spec.provisioning.bootstrap.apiServerURL"),
    ClusterInfoInvalid(
            error(OPERATOR, SETTINGS).at("WC/Synced=False").event("WC"),
            "cluster-info cannot be parsed or does not have exactly one cluster",
            "fixed",
            "{tenant}: worker cluster, ConfigMap kube-public/cluster-info, kubeconfig: {what}; it must hold exactly one cluster with server and certificate-authority-data"),
    CertificateAuthorityMissing(
            error(OPERATOR, SETTINGS).at("WC/Synced=False").event("WC"),
            "neither cluster-info nor the kubeconfig nor kubernetesCA has CA data",
            "one has",
            "{tenant}: WorkerCluster {wc}: no CA certificate for nodes; set spec.provisioning.kubernetesCA, or put certificate-authority-data into cluster-info"),
    CertificateAuthorityMismatch(
            warning(OPERATOR, SETTINGS).at("WC").event("WC"),
            "cluster-info and the CA for nodes have no certificate in common",
            "they share one",
            "{tenant}: WorkerCluster {wc}: nodes join with the CA of cluster-info ({fingerprint}) but get {fingerprint2} as ca.crt; set spec.provisioning.kubernetesCA to a bundle of both, or correct cluster-info"),
    MachineDeploymentsFailing(
            error(TENANT, PUBLISH).at("WC/Synced=False"),
            "a MachineDeployment has an open Error",
            "none has one",
            "{tenant}: WorkerCluster {wc}: {n} of {m} MachineDeployments have an open problem, first: {md} ({reason}); see hub get problems -n {tenant}"),
    SyncBacklog(
            warning(OPERATOR, PUBLISH, PROVISIONING_SECRET)
                    .at("WC/Synced=False")
                    .event("WC"),
            "the tenant's oldest queued key has waited more than 60 s",
            "less than 10 s",
            "{tenant}: WorkerCluster {wc}: {n} MachineDeployments wait, the oldest for {duration} ({cause}); raise spec.connection.writeBudget, or wait"),
    AdmissionNotInstalled(
            warning(OPERATOR, SETTINGS).at("WC").event("WC"),
            "the webhook configuration cannot be written to the worker cluster",
            "written",
            "{tenant}: WorkerCluster {wc}, spec.admission.mode: the webhook configuration was rejected ({cause}); grant it (hub cluster rbac --admission), or set mode None"),
    WorkerCleanupIncomplete(
            warning(OPERATOR, OWNERSHIP).at("WC").event("WC"),
            "the clean-up exceeded spec.cleanupTimeout",
            "never (the WorkerCluster is deleted)",
            "{tenant}: WorkerCluster {wc}: removed without cleaning up the worker cluster ({cause}), left behind: {n} secrets, {m} finalizers; remove them: hub cluster clean --kubeconfig FILE"),
    DefaultProfilesNotInstalled(
            warning(OPERATOR, PROFILE).at("WC").event("WC"),
            "a default profile cannot be written to the shared or tenant namespace",
            "written",
            "{tenant}: OperatingSystemProfile {osp}: not installed ({cause}); {cure}"),
    DefaultProfileKept(
            info(OPERATOR, PROFILE).at("OSP").event("OSP"),
            "an installed default profile was edited or is newer, so the hub does not overwrite it",
            "its content matches a default version again",
            "{tenant}: OperatingSystemProfile {osp}: edited since it was installed ({version}), so it is not upgraded to {version2}; delete it to get the new one"),

    // Profile
    TemplateSyntaxError(
            error(TENANT, PROFILE).at("OSP/Valid=False", "OSC/Rendered=False").event("OSP", "MD"),
            "a file or snippet cannot be parsed",
            "the profile changes and parses",
            "{tenant}: OperatingSystemProfile {osp}, {field} ({path}) line {line}:{column}: {what}; {cure}"),
    TemplateExecutionFailed(
            error(TENANT, PROFILE).at("OSP/Valid=False", "OSC/Rendered=False").event("OSP", "MD"),
            "a template fails at run time (missing field, nil, fail, wrong type)",
            "a run succeeds",
            "{tenant}: OperatingSystemProfile {osp}, {field} ({path}) line {line}:{column}: {what}; {cure}"),
    TemplateLimitExceeded(
            error(TENANT, PROFILE).at("OSP/Valid=False", "OSC/Rendered=False").event("OSP", "MD"),
            "a template exceeds the sandbox's limit of output, steps, depth or time",
            "a run stays within the limits",
            "{tenant}: OperatingSystemProfile {osp}, {field} ({path}) line {line}:{column}: more than {limit} {unit}; shorten the loop or the text"),
    ProfileFileInvalid(
            error(TENANT, PROFILE).at("OSP/Valid=False", "OSC/Rendered=False").event("OSP", "MD"),
            "a file has no content.inline",
            "corrected",
            "{tenant}: OperatingSystemProfile {osp}, {field} ({path}): content.inline is missing; add it, empty data is allowed"),
    ProfileFieldsPruned(
            error(OPERATOR, PROFILE).at("OSP/Valid=False", "OSC/Rendered=False").event("OSP", "MD"),
            "a CustomResourceDefinition that is not the hub's removed the template engine of a default profile",
            "the hub has restored it with annotations, or its engine is set",
            "{tenant}: OperatingSystemProfile {osp}, spec.templateEngine: the CustomResourceDefinition pruned it from a default profile, so the template language is unknown; set annotation osmhub.io/template-engine to handlebars, or to go if they were rewritten"),
    CloudConfigInvalid(
            error(TENANT, PROFILE).at("OSP/Valid=False", "OSC/Rendered=False").event("OSP", "MD"),
            "the cloud-init document is not YAML",
            "it is",
            "{tenant}: OperatingSystemProfile {osp}: the {part} document is not valid cloud-config, line {line}: {what}, written by {field} ({path}); correct that file"),
    IgnitionConversionFailed(
            error(TENANT, PROFILE).at("OSP/Valid=False", "OSC/Rendered=False").event("OSP", "MD"),
            "the conversion to Ignition reports an error or a warning",
            "it reports none",
            "{tenant}: OperatingSystemProfile {osp}, {field} ({path}): {what}; {cure}"),
    ProfileWarnings(
            warning(TENANT, PROFILE).at("OSP").event("OSP"),
            "lint has findings that do not stop rendering (duplicate path, odd mode or encoding, schema, shell syntax, size near the limit)",
            "no findings",
            "{tenant}: OperatingSystemProfile {osp}: {n} findings, first: {field} ({path}) line {line}: {what}; see hub lint -n {tenant} {name}"),
    ProfileChangedInPlace(
            warning(TENANT, PROFILE).at("OSP").event("OSP"),
            "content changed under the same spec.version",
            "spec.version changes",
            "{tenant}: OperatingSystemProfile {osp}, spec.version: content changed but {version} did not, it was published anyway; raise the version to make the change visible"),

    // MachineDeployment and rendering
    ProfileNotFound(
            unfitProfile(TENANT).at("OSC/Rendered=False", "MD").event("MD"),
            "profile not found",
            "it exists",
            "{tenant}: MachineDeployment {md}, annotation k8c.io/operating-system-profile: no OperatingSystemProfile {name} in {namespaces}; use an existing one: {cure}"),
    ProfileNamespaceNotGranted(
            unfitProfile(OPERATOR).at("OSC/Rendered=False", "MD").event("MD"),
            "the namespace annotation names a namespace that is not granted or not offered",
            "granted and offered",
            "{tenant}: MachineDeployment {md}, annotation k8c.io/operating-system-profile-namespace: namespace {namespace} is not {state} this tenant; {cure}"),
    ProfileAnnotationMissing(
            warning(TENANT, MACHINE, LinkName.PROFILE).at("MD").event("MD"),
            "a MachineDeployment with the hub's finalizer has no profile annotation",
            "annotation set or object deleted",
            "{tenant}: MachineDeployment {md}, annotation k8c.io/operating-system-profile: removed, its secrets stay but are not updated; set it again: {cure}"),
    ProfileOperatingSystemMismatch(
            unfitProfile(TENANT).at("OSC/Rendered=False", "MD").event("MD").eventReason("OperatingSystemProfileError"),
            "osName differs from the MachineDeployment's operatingSystem",
            "they match",
            "{tenant}: MachineDeployment {md}, providerSpec.value.operatingSystem: OperatingSystemProfile \"{name}\" does not support operating system \"{os}\"; {osp} is for {os2}; {name2} supports {os}: {cure}"),
    ProfileCloudProviderMismatch(
            unfitProfile(TENANT).at("OSC/Rendered=False", "MD").event("MD").eventReason("OperatingSystemProfileError"),
            "cloudProvider is not among supportedCloudProviders",
            "it is",
            "{tenant}: MachineDeployment {md}, providerSpec.value.cloudProvider: OperatingSystemProfile \"{name}\" does not support cloud provider \"{provider}\"; {osp} supports {names}; {name2} supports {provider}: {cure}"),
    ProfileKubernetesVersionMismatch(
            unfitProfile(TENANT).at("OSC/Rendered=False", "MD").event("MD"),
            "the kubelet version does not meet supportedKubernetesVersions",
            "fixed",
            "{tenant}: MachineDeployment {md}, spec.template.spec.versions.kubelet: OperatingSystemProfile {osp} supports {constraint}, not {version}; choose another version or profile; {name2} supports it: {cure}"),
    ProvisioningUtilityMismatch(
            unfitProfile(TENANT).at("OSC/Rendered=False", "MD").event("MD"),
            "the profile's provisioningUtility differs from the one that the MachineDeployment requests",
            "they match",
            "{tenant}: MachineDeployment {md}, providerSpec.value.operatingSystemSpec.provisioningUtility: requests {utility}, OperatingSystemProfile {osp} produces {utility2}; set it to {utility2}"),
    ProviderSpecMissing(
            error(TENANT, MACHINE).at("OSC/Rendered=False", "MD").event("MD"),
            "providerSpec.value is missing or empty",
            "it is set",
            "{tenant}: MachineDeployment {md}, spec.template.spec.providerSpec.value: missing; set cloudProvider, cloudProviderSpec and operatingSystem"),
    ProviderSpecInvalid(
            error(TENANT, MACHINE).at("OSC/Rendered=False", "MD").event("MD"),
            "unknown field or wrong type in providerSpec.value or operatingSystemSpec",
            "corrected",
            "{tenant}: MachineDeployment {md}, spec.template.spec.providerSpec.value.{field}: {what}; {cure}"),
    OperatingSystemUnknown(
            error(TENANT, MACHINE).at("OSC/Rendered=False", "MD").event("MD"),
            "the hub does not support the operating system",
            "changed",
            "{tenant}: MachineDeployment {md}, providerSpec.value.operatingSystem: unknown operating system \"{os}\"; known: {names}"),
    KubeletVersionInvalid(
            error(TENANT, MACHINE).at("OSC/Rendered=False", "MD").event("MD"),
            "versions.kubelet is not a valid version",
            "it is",
            "{tenant}: MachineDeployment {md}, spec.template.spec.versions.kubelet: \"{value}\" is not a version; write for example 1.34.2"),
    KubeletAnnotationInvalid(
            error(TENANT, MACHINE).at("OSC/Rendered=False", "MD").event("MD"),
            "a kubelet setting annotation cannot be parsed",
            "fixed",
            "{tenant}: MachineDeployment {md}, annotation v1.kubelet-config.machine-controller.kubermatic.io/{name}: \"{value}\" is not {expected}; write for example {example}"),
    KubeletAnnotationUnusable(
            warning(TENANT, MACHINE).at("MD").event("MD"),
            "an annotation names no kubelet setting, is set on the machine template, or has a value with which no kubelet starts",
            "fixed",
            "{tenant}: MachineDeployment {md}, annotation {key}: {what}; {cure}"),
    StaticNetworkNotSupported(
            error(TENANT, MACHINE).at("OSC/Rendered=False", "MD").event("MD"),
            "static IP settings with an operating system other than flatcar",
            "changed",
            "{tenant}: MachineDeployment {md}, providerSpec.value.network: static IP config is not supported with {os}; use flatcar, or remove cidr, gateway and dns"),
    CloudProviderUnknown(
            error(TENANT, MACHINE).at("OSC/Rendered=False", "MD").event("MD"),
            "kubelet below 1.29, not external, and no in-tree cloud config for the provider",
            "changed",
            "{tenant}: MachineDeployment {md}, providerSpec.value.cloudProvider: no in-tree cloud config for \"{provider}\" with kubelet {version}; use kubelet 1.29 or newer, or externalCloudProvider"),
    ProviderReferenceNotFound(
            error(TENANT, MACHINE).at("OSC/Rendered=False", "MD").event("MD"),
            "a secretKeyRef or configMapKeyRef of cloudProviderSpec points to a missing object or key",
            "it exists",
            "{tenant}: MachineDeployment {md}, providerSpec.value.cloudProviderSpec.{field}: no {kind} {name} with key {key} in the worker cluster; create it"),
    ProviderReferenceForbidden(
            error(OPERATOR, MACHINE).at("OSC/Rendered=False", "MD").event("MD"),
            "the credential may not read the reference",
            "granted",
            "{tenant}: MachineDeployment {md}, providerSpec.value.cloudProviderSpec.{field}: the hub may not read {kind} {name}; grant get on it, or put the value into spec.provisioning.cloudCredentialsSecretRef"),
    CloudCredentialsInvalid(
            error(TENANT, MACHINE).at("OSC/Rendered=False", "MD").event("MD"),
            "a credential of the in-tree cloud config has the wrong format",
            "corrected",
            "{tenant}: MachineDeployment {md}, providerSpec.value.cloudProviderSpec.{field}: {what}; expected {expected}"),
    RevisionNotSet(
            warning(OPERATOR, MACHINE, MACHINE_CONTROLLER_PICK_UP).at("MD").event("MD"),
            "no revision annotation 2 min after creation",
            "set",
            "{tenant}: MachineDeployment {md}, annotation machinedeployment.clusters.k8s.io/revision: not set, machine-controller has not reconciled it; check that it runs in the worker cluster"),

    // Publishing
    PublishPending(
            attributes(Severity.INFO, Actor.HUB, PUBLISH, PROVISIONING_SECRET).at("OSC/Published=Unknown"),
            "rendered, writes are queued",
            "written or failed",
            "{tenant}: OperatingSystemConfig {osc}: waiting to be published ({cause})"),
    PublishRetrying(
            warning(Actor.HUB, PUBLISH).at("OSC/Published=False"),
            "a write failed temporarily (5xx, timeout, conflict)",
            "the write succeeds",
            "{tenant}: Secret {secret}: {verb} failed ({cause}), attempt {n}, retrying in {duration}, older content stays in use; no action is needed while the hub retries"),
    UserDataTooLarge(
            error(TENANT, PUBLISH, RENDERED_CONFIG).at("OSC/Published=False").event("MD"),
            "the bootstrap document exceeds the provider's limit",
            "it fits",
            "{tenant}: MachineDeployment {md}: user-data is {excess} bytes too large for {provider} ({bytes} of {limit}), largest: {field} ({path}) {bytes2}; move it to provisioningConfig of {osp} and raise its version"),
    ObjectTooLarge(
            error(TENANT, PUBLISH, RENDERED_CONFIG).at("OSC/Published=False").event("MD"),
            "a secret above 1 MiB or an OSC above 1.5 MiB",
            "it fits",
            "{tenant}: {kind} {name}: {bytes}, the API server accepts {limit}, largest: {field} ({path}) {bytes2}; shorten it in {osp}"),
    UserDataUnreadable(
            error(TENANT, PUBLISH, RENDERED_CONFIG).at("OSC/Published=False").event("MD"),
            "no node can start with a rendered document: cloud-init, Ignition, the kubelet or containerd rejects it",
            "they accept it",
            "{tenant}: MachineDeployment {md}, file {path}: {what}, no node starts with it; {cure}, correct {field} of {osp}"),
    UserDataSuspect(
            warning(TENANT, PUBLISH).at("MD").event("MD"),
            "a rendered file or document has a mistake with which nodes may still start",
            "corrected",
            "{tenant}: MachineDeployment {md}, file {path}: {what}; {cure}, correct {field} of {osp}"),
    NameCollision(
            error(TENANT, OWNERSHIP, RENDERED_CONFIG).at("MD").event("MD"),
            "two MachineDeployments share an object name",
            "one is deleted",
            "{tenant}: MachineDeployment {md}: {kind} {name} already belongs to MachineDeployment {md2}, nothing is overwritten; replace this MachineDeployment by one with another name"),
    NameTooLong(
            error(TENANT, OWNERSHIP, RENDERED_CONFIG).at("MD").event("MD"),
            "an object name above 253 or a token label above 63 characters",
            "renamed",
            "{tenant}: MachineDeployment {md}: {kind} name would have {n} characters, {limit} are allowed; a name cannot be changed: replace it by one with a name of at most {m} characters"),
    ObjectNotOwned(
            error(OPERATOR, OWNERSHIP).at("OSC/Published=False", "MD").event("MD"),
            "an object with the same name was written by neither this hub nor OSM",
            "it is deleted or annotated",
            "{tenant}: {kind} {name}: written by {manager}, not by this hub, nothing is overwritten; {cure}"),
    OSMContentKept(
            error(OPERATOR, OWNERSHIP, BOOTSTRAP_SECRET)
                    .at("WC/Synced=False", "OSC/Published=False", "MD")
                    .event("WC"),
            "what the hub would publish for MachineDeployments that Operating System Manager served differs from what it published",
            "spec.osmContent is Replace, or the content is the same",
            "{tenant}: {kind} {name}: {what} would get other content than Operating System Manager published, which is kept; take it over with its profiles and settings (hub migrate plan), or publish the hub's content: hub cluster adopt {wc} -n {tenant}"),
    WriteForbidden(
            error(OPERATOR, PUBLISH).at("OSC/Published=False").event("MD", "WC"),
            "403 on a write",
            "a write succeeds",
            "{tenant}: {kind} {name}: {user} may not {verb} {resource} in {namespace}; apply the worker role: hub cluster rbac {wc} -n {tenant} | kubectl apply -f -"),
    WriteRejected(
            error(OPERATOR, PUBLISH).at("OSC/Published=False").event("MD"),
            "a write fails with 400 or 422, or is rejected by a quota or a webhook",
            "a write succeeds",
            "{tenant}: {kind} {name}: {verb} rejected: {what}; {cure}"),
    DriftRepaired(
            info(Actor.HUB, OWNERSHIP).at("OSC").event("MD"),
            "an owned object was deleted or edited and has been restored",
            "at once",
            "{tenant}: {kind} {name}: {change} by {manager}, restored after {duration}"),
    DriftLoop(
            warning(OPERATOR, OWNERSHIP).at("OSC/Published=False").event("MD"),
            "restored 5 times within 10 min",
            "10 min without a change",
            "{tenant}: {kind} {name}: {manager} changed it {n} times in 10 min, last {field}, the hub retries with backoff; stop that writer"),
    ImmutableSecretReplaced(
            info(Actor.HUB, PUBLISH).at("OSC").event("MD"),
            "an immutable secret of OSM was replaced",
            "at once",
            "{tenant}: Secret {secret}: was immutable, replaced by a mutable one (missing for {duration}); later changes are applied in place"),

    // Joining
    BootstrapTokenExpiring(
            error(Actor.HUB, TOKEN).at("OSC/TokenValid=False").event("MD"),
            "less than 20 min remain and the extension failed",
            "extended",
            "{tenant}: Secret kube-system/{token}, expiration: {duration} left, not extended ({cause}), nodes that start later cannot join; {cure}"),
    BootstrapTokenExpired(
            error(OPERATOR, TOKEN).at("OSC/TokenValid=False").event("MD"),
            "no valid token",
            "extended or replaced",
            "{tenant}: Secret kube-system/{token}, expiration: expired {time} ({cause}), new nodes cannot join; {cure}"),
    BootstrapTokenMissing(
            error(OPERATOR, TOKEN).at("OSC/TokenValid=False").event("MD"),
            "the published token was deleted and could not be replaced",
            "a new one is published",
            "{tenant}: Secret kube-system/{token}: deleted and not replaced ({cause}), new nodes cannot join; {cure}"),
    BootstrapTokenReplaced(
            info(Actor.HUB, TOKEN).at("OSC").event("MD"),
            "a token was missing, unreadable, a duplicate, or older than a week, and was replaced",
            "at once",
            "{tenant}: Secret kube-system/{token}: created because {cause}; older ones stay valid until they expire"),
    FetchTokenExpiring(
            error(Actor.HUB, TOKEN).at("OSC/TokenValid=False").event("MD"),
            "less than 20 min of a scoped fetch token remain and it could not be renewed",
            "renewed",
            "{tenant}: ServiceAccount cloud-init-settings/{account}: its fetch token has {duration} left, not renewed ({cause}), nodes that start later cannot join; {cure}"),
    FetchTokenExpired(
            error(OPERATOR, TOKEN).at("OSC/TokenValid=False").event("MD"),
            "a scoped fetch token has expired",
            "renewed",
            "{tenant}: ServiceAccount cloud-init-settings/{account}: its fetch token expired {time} ({cause}), new nodes cannot join; {cure}"),
    ServiceAccountTokenMissing(
            error(OPERATOR, TOKEN).at("OSC/TokenValid=False").event("MD"),
            "the ServiceAccount of bootstrap.serviceAccountRef or its token Secret is missing",
            "it exists",
            "{tenant}: WorkerCluster {wc}, spec.provisioning.bootstrap.serviceAccountRef: no token Secret of type kubernetes.io/service-account-token for ServiceAccount {sa}; create one"),
    ScopedTokenNotGranted(
            error(OPERATOR, TOKEN).at("OSC/TokenValid=False").event("MD"),
            "nodeFetch is ScopedToken and a permission or profile support is missing",
            "granted",
            "{tenant}: WorkerCluster {wc}, spec.provisioning.bootstrap.nodeFetch: {what}; grant it (hub cluster rbac --scoped-fetch), or set Auto"),

    // Normal events
    ConfigRotated(
            info(Actor.HUB, PUBLISH).at("OSC").event("MD"),
            "published content changed",
            "at once",
            "{tenant}: MachineDeployment {md}: {because}; {names} updated in {duration}"),
    ObjectsAdopted(
            info(Actor.HUB, OWNERSHIP).at("WC").event("WC"),
            "objects left by OSM were adopted",
            "at once",
            "{tenant}: WorkerCluster {wc}: adopted {n} MachineDeployments from operating-system-manager; {m} secrets unchanged, {k} to be updated"),
    LeftoversRemoved(
            info(Actor.HUB, OWNERSHIP).at("WC").event("WC"),
            "the hub's objects of deleted MachineDeployments were removed",
            "at once",
            "{tenant}: WorkerCluster {wc}: removed {n} objects of deleted MachineDeployments: {names}"),
    KubeconfigRotated(
            info(Actor.HUB, CREDENTIALS).at("WC").event("WC"),
            "a new kubeconfig passed its test and is in use",
            "at once",
            "{tenant}: WorkerCluster {wc}: new kubeconfig in use ({endpoint}, {user}); the old connection is closed"),
    CredentialsRenewed(
            info(Actor.HUB, CREDENTIALS).at("WC").event("WC"),
            "a scoped token was renewed",
            "at once",
            "{tenant}: WorkerCluster {wc}: token of ServiceAccount {sa} renewed, expires {time}"),
    ProblemResolved(
            info(Actor.HUB, SUMMARY).at("WC").event("WC", "MD", "OSP"),
            "an Error or Warning with an Event was resolved",
            "at once",
            "{tenant}: {kind} {name}: {reason} resolved after {duration}"),

    // Hub
    ManagementClusterUnreachable(
            error(OPERATOR, Category.HUB, RENDERED_CONFIG).at("Hub"),
            "the management API has not responded for 10 s",
            "it responds",
            "hub: management cluster {endpoint}: {cause} since {time}, nothing is written until it is back, published objects of {n} tenants stay; check that its API server runs and the network path is open"),
    ManagementPermissionsMissing(
            error(OPERATOR, Category.HUB, RENDERED_CONFIG).at("Hub").event("Hub"),
            "the hub's ServiceAccount lacks a permission",
            "granted",
            "hub: management cluster: {user} may not {first}{more}; apply the manifests of this version (rbac-management.yaml)"),
    CRDForeignManaged(
            warning(OPERATOR, Category.HUB).at("Hub").event("Hub"),
            "another manager's OSP or OSC CRD prunes fields of the schema",
            "upgraded or replaced",
            "hub: CustomResourceDefinition {crd}: managed by {manager} and lacks {what}, which objects lose when they are stored; upgrade {manager}, or replace the definition: hub install crds --take-over"),
    KKPKindMissing(
            warning(OPERATOR, Category.HUB).at("Hub").event("Hub"),
            "kkp.namespace is set, but the management cluster does not serve a kind of KKP",
            "it is served, or kkp.namespace is unset",
            "hub: CustomResourceDefinition {crd}: not found in the management cluster, the hub works without its objects; install KKP's definitions, or unset kkp.namespace"),
    WebhookCertificateExpiring(
            warning(OPERATOR, Category.HUB).at("Hub").event("Hub"),
            "a serving or CA certificate is past 90 % of its lifetime and not renewed",
            "renewed",
            "hub: Secret {secret}: webhook certificate expires {time}, renewal failed ({cause}); allow update on that Secret"),
    WebhookBundleNotPatched(
            error(OPERATOR, Category.HUB).at("Hub").event("Hub"),
            "a webhook configuration holds another CA than the hub's",
            "patched",
            "hub: {kind} {name}, caBundle: not the hub's CA, {cause}; {cure}"),
    LeaseLost(
            warning(Actor.HUB, Category.HUB, RENDERED_CONFIG).at("Hub").event("Hub"),
            "the member Lease was not renewed in time",
            "renewed",
            "hub: Lease {lease}: not renewed for {duration} ({cause}), this replica stopped writing for its {n} tenants; check the load of the management cluster's API server"),
    InternalError(
            error(Actor.HUB, Category.HUB, RENDERED_CONFIG)
                    .at("OSC/Rendered=Unknown", "WC/Synced=Unknown", "Hub")
                    .event("MD", "WC"),
            "an unexpected failure in the hub's code",
            "a run succeeds",
            "{tenant}: {kind} {name}: internal error, reconcileId {id}, published content stays; report it with the log lines of that id");

    private static final Map<String, Reason> BY_WORD =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Reason::wireName, Function.identity()));

    @SuppressWarnings("ImmutableEnumChecker") // a record of lists that are only made unmodifiable
    private final ReasonAttributes facts;

    private final String setWhen;
    private final String clearedWhen;
    private final String template;

    Reason(ReasonAttributes facts, String set, String cleared, String template) {
        this.facts = facts;
        this.setWhen = set;
        this.clearedWhen = cleared;
        this.template = template;
    }

    /** The reason with that name. */
    public static Optional<Reason> of(String word) {
        return Optional.ofNullable(BY_WORD.get(word));
    }

    /**
     * The reason that identifies a problem while it is open. When an API server does not respond, the hub reconnects: if that fails, it
     * is the same outage.
     */
    public Reason identity() {
        return this == WorkerClusterNotResponding ? WorkerClusterUnreachable : this;
    }

    /** As in conditions, Events, metrics and documentation. */
    public String wireName() {
        return name();
    }

    public Severity severity() {
        return facts.severity();
    }

    public Actor actor() {
        return facts.actor();
    }

    public Category category() {
        return facts.category();
    }

    /** Conditions and objects that show it. */
    public List<ConditionTarget> conditionTargets() {
        return facts.places();
    }

    /** Objects that get the Event; may be empty. */
    public List<SubjectKind> eventSubjects() {
        return facts.events();
    }

    /** Reason of the Event; OSM's reason where users may rely on it. */
    public String eventReason() {
        return facts.eventReason().isEmpty() ? wireName() : facts.eventReason();
    }

    /** The link that it always breaks; null if that depends on the object, or it breaks none. */
    public @Nullable LinkName brokenLink() {
        return facts.link();
    }

    /** When it is set, one clause. */
    public String setWhen() {
        return setWhen;
    }

    /** When it is cleared, one clause. */
    public String clearedWhen() {
        return clearedWhen;
    }

    /** The message with variables in braces; {@link MessageFormatter} fills them. */
    public String template() {
        return template;
    }

    /**
     * Fills the message.
     *
     * @param variables name and value of each variable
     * @throws IllegalArgumentException if a variable has no value
     */
    public ReasonMessage with(String... variables) {
        return with(Map.of(), variables);
    }

    /** As above; {@code common} has more variables. */
    public ReasonMessage with(Map<String, String> common, String... variables) {
        Map<String, String> values = new HashMap<>(common);
        for (int i = 0; i < variables.length; i += 2) {
            values.put(variables[i], variables[i + 1]);
        }
        return new ReasonMessage(this, MessageFormatter.format(this, values));
    }

    /** A link of the chain from the profile to the machine, in its order. */
    public enum LinkName {
        @JsonProperty("Profile")
        PROFILE,
        @JsonProperty("RenderedConfig")
        RENDERED_CONFIG,
        @JsonProperty("ProvisioningSecret")
        PROVISIONING_SECRET,
        @JsonProperty("BootstrapSecret")
        BOOTSTRAP_SECRET,
        @JsonProperty("BootstrapToken")
        BOOTSTRAP_TOKEN,
        @JsonProperty("WorkerConnection")
        WORKER_CONNECTION,
        @JsonProperty("MachineControllerPickUp")
        MACHINE_CONTROLLER_PICK_UP
    }

    private static ReasonAttributes error(Actor actor, Category category) {
        return attributes(Severity.ERROR, actor, category, usualLink(Severity.ERROR, category));
    }

    private static ReasonAttributes error(Actor actor, Category category, LinkName link) {
        return attributes(Severity.ERROR, actor, category, link);
    }

    /** The MachineDeployment cannot use the profile. */
    private static ReasonAttributes unfitProfile(Actor actor) {
        return error(actor, MACHINE, LinkName.PROFILE);
    }

    private static ReasonAttributes warning(Actor actor, Category category) {
        return attributes(Severity.WARNING, actor, category, usualLink(Severity.WARNING, category));
    }

    private static ReasonAttributes warning(Actor actor, Category category, LinkName link) {
        return attributes(Severity.WARNING, actor, category, link);
    }

    private static ReasonAttributes info(Actor actor, Category category) {
        return attributes(Severity.INFO, actor, category, null);
    }

    private static @Nullable LinkName usualLink(Severity severity, Category category) {
        boolean error = severity == Severity.ERROR;
        return switch (category) {
            case CREDENTIALS -> WORKER_CONNECTION;
            case CONNECTION -> error ? WORKER_CONNECTION : null;
            case PROFILE -> error ? LinkName.PROFILE : null;
            case SETTINGS, MACHINE -> error ? RENDERED_CONFIG : null;
            case TOKEN -> error ? BOOTSTRAP_TOKEN : null;
            case SUMMARY, OWNERSHIP, PUBLISH, HUB -> null;
        };
    }

    private static ReasonAttributes attributes(
            Severity severity, Actor actor, Category category, @Nullable LinkName link) {
        return new ReasonAttributes(severity, actor, category, List.of(), List.of(), "", link);
    }

    private record ReasonAttributes(
            Severity severity,
            Actor actor,
            Category category,
            List<ConditionTarget> places,
            List<SubjectKind> events,
            String eventReason,
            @Nullable LinkName link) {
        ReasonAttributes at(String... notations) {
            List<ConditionTarget> at =
                    Arrays.stream(notations).map(ConditionTarget::of).toList();
            return new ReasonAttributes(severity, actor, category, at, events, eventReason, link);
        }

        ReasonAttributes event(String... subjects) {
            List<SubjectKind> on = Arrays.stream(subjects).map(SubjectKind::of).toList();
            return new ReasonAttributes(severity, actor, category, places, on, eventReason, link);
        }

        ReasonAttributes eventReason(String word) {
            return new ReasonAttributes(severity, actor, category, places, events, word, link);
        }
    }

    /**
     * Where a reason is shown: a condition with its status, or an object alone when there is only an Event or a problem entry.
     *
     * @param condition for example {@code RenderSummary}; empty if none
     * @param status {@code True}, {@code False} or {@code Unknown}; empty without a condition
     */
    public record ConditionTarget(SubjectKind subject, String condition, String status) {
        /** Reads {@code OSC/Rendered=False} or {@code MD}. */
        static ConditionTarget of(String notation) {
            int slash = notation.indexOf('/');
            if (slash < 0) {
                return new ConditionTarget(SubjectKind.of(notation), "", "");
            }
            int equals = notation.indexOf('=', slash);
            return new ConditionTarget(
                    SubjectKind.of(notation.substring(0, slash)),
                    notation.substring(slash + 1, equals),
                    notation.substring(equals + 1));
        }

        /** In the notation of the list of reasons. */
        @Override
        public String toString() {
            return condition.isEmpty() ? subject.shortForm() : subject.shortForm() + "/" + condition + "=" + status;
        }
    }

    /** What a reason means for nodes that start now, in one sentence. */
    public static final class NodeEffect {
        private static final String NORMALLY = "they start normally.";
        private static final String AS_BEFORE =
                "they start with the content published before; without it, or if it is for another revision, they do not start.";
        private static final String UNTIL_THE_TOKEN_ENDS =
                "they start until the bootstrap token expires, in 20 minutes or more; no changes are published.";
        private static final String NOT_KNOWN = "not known yet.";

        private NodeEffect() {}

        public static String of(Reason reason) {
            return switch (reason) {
                case CredentialsNotChecked, Connecting, InitialSyncPending, PublishPending -> NOT_KNOWN;
                case Paused -> UNTIL_THE_TOKEN_ENDS;
                case NameCollision, NameTooLong ->
                    "they do not start; nothing is published for this MachineDeployment.";
                case RevisionNotSet, MachineDeploymentAPIMissing ->
                    "none are created: no machine-controller has reconciled it.";
                case BootstrapTokenExpired, BootstrapTokenMissing, ServiceAccountTokenMissing, ScopedTokenNotGranted ->
                    "they start but cannot join the cluster.";
                case FetchTokenExpired -> "they start but cannot fetch their configuration.";
                case FetchTokenExpiring -> "they join until the token expires.";
                case BootstrapTokenExpiring -> "they join until the token expires.";
                case CredentialsExpiring, CredentialsRenewalFailed ->
                    "they start normally; after the credential expires, until the bootstrap token expires.";
                case NewCredentialsUnproven -> "they start normally while the previous credential works.";
                case RegistrationConflict, TenantNamespaceTaken, WorkerClusterDuplicate, LocalTargetRefused ->
                    "this registration provides nothing for them.";
                case WorkerClusterContested, UserDataSuspect -> NORMALLY;
                case ProfileAnnotationMissing ->
                    "they start with the content published before; changes do not reach them.";
                case PermissionsMissing ->
                    "they start with the content published before; actions that need the missing permission fail.";
                default -> byCategory(reason);
            };
        }

        private static String byCategory(Reason reason) {
            if (reason.severity() == Severity.INFO) {
                return NORMALLY;
            }
            boolean error = reason.severity() == Severity.ERROR;
            return switch (reason.category()) {
                case CREDENTIALS -> UNTIL_THE_TOKEN_ENDS;
                case CONNECTION -> error ? UNTIL_THE_TOKEN_ENDS : NORMALLY;
                case SETTINGS, PROFILE, MACHINE, TOKEN -> error ? AS_BEFORE : NORMALLY;
                case OWNERSHIP, PUBLISH -> reason == Reason.WorkerCleanupIncomplete ? NORMALLY : AS_BEFORE;
                case HUB ->
                    switch (reason) {
                        case ManagementClusterUnreachable, ManagementPermissionsMissing, InternalError -> AS_BEFORE;
                        default -> NORMALLY;
                    };
                case SUMMARY -> NORMALLY;
            };
        }
    }

    /** Kind of object that carries a reason or its Event. */
    public enum SubjectKind {
        WORKER_CLUSTER("WC", "WorkerCluster"),
        PROFILE("OSP", "OperatingSystemProfile"),
        CONFIG("OSC", "OperatingSystemConfig"),
        MACHINE_DEPLOYMENT("MD", "MachineDeployment"),
        /** The kubeconfig Secret of a registration. */
        SECRET("Secret", "Secret"),
        /** The replica's own Pod. */
        HUB("Hub", "Pod");

        private final String shortForm;
        private final String kind;

        SubjectKind(String shortForm, String kind) {
            this.shortForm = shortForm;
            this.kind = kind;
        }

        public String kind() {
            return kind;
        }

        /** As in the list of reasons, for example {@code OSP}. */
        public String shortForm() {
            return shortForm;
        }

        static SubjectKind of(String shortForm) {
            return Arrays.stream(values())
                    .filter(subject -> subject.shortForm.equals(shortForm))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("no subject " + shortForm));
        }
    }
}
