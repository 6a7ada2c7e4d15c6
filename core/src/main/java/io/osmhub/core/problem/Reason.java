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

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Every reason that a condition, an Event, a metric or the console may show. A constant is named exactly as people read
 * it, so that a reason seen in a cluster is found here by a search. What each says: who acts and what it is about, where
 * it shows and who gets the Event; when it is set; when it is cleared; and the message, with its variables in braces.
 */
public enum Reason {
    // Summary and positive reasons
    Serving(
            info(Actor.HUB, SUMMARY).at("WC/Ready=True"),
            "CredentialsValid, Connected and Synced are all True",
            "one of them is not",
            "{tenant}: WorkerCluster {wc}: {n} MachineDeployments current"),
    CredentialsAccepted(
            info(Actor.HUB, CREDENTIALS).at("WC/CredentialsValid=True"),
            "the API server accepted the credential and every needed permission is there",
            "another reason applies",
            "{tenant}: WorkerCluster {wc}: signed in as {user}"),
    CredentialsNotChecked(
            info(Actor.HUB, CREDENTIALS).at("WC/CredentialsValid=Unknown"),
            "registered, not tried yet",
            "first answer of the API server",
            "{tenant}: WorkerCluster {wc}: the kubeconfig in Secret {secret} has not been tried yet"),
    ConnectionEstablished(
            info(Actor.HUB, CONNECTION).at("WC/Connected=True"),
            "TLS verified and first answer received",
            "another reason applies",
            "{tenant}: WorkerCluster {wc}: connected to {endpoint} ({version})"),
    Connecting(
            info(Actor.HUB, CONNECTION).at("WC/Connected=Unknown"),
            "no attempt has ended yet",
            "first attempt ends",
            "{tenant}: WorkerCluster {wc}: connecting to {endpoint}"),
    MachineDeploymentsCurrent(
            info(Actor.HUB, PUBLISH).at("WC/Synced=True"),
            "every MachineDeployment with a profile is Current",
            "one is not",
            "{tenant}: WorkerCluster {wc}: {n} MachineDeployments current"),
    InitialSyncPending(
            info(Actor.HUB, PUBLISH).at("WC/Synced=Unknown"),
            "connected, first lists not complete",
            "caches filled and first pass over all keys done",
            "{tenant}: WorkerCluster {wc}: reading MachineDeployments and secrets"),
    Paused(
            info(OPERATOR, SUMMARY).at("WC/Synced=False", "WC/Ready=False").event("WC"),
            "spec.paused is true, or the Secret with the kubeconfig is missing",
            "spec.paused is false and the Secret is there",
            "{tenant}: WorkerCluster {wc}, {field}: the hub writes nothing; bootstrap tokens run out from {time} on; {cure}"),
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
            "the stored spec is what the profile gives now",
            "another reason applies",
            "{tenant}: OperatingSystemConfig {osc}: rendered from {osp} {version} for revision {revision}"),
    SecretsPublished(
            info(Actor.HUB, PUBLISH).at("OSC/Published=True"),
            "bootstrap and provisioning secret hold the wanted bytes",
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
            "spec.kubeconfigSecretRef.name names no Secret",
            "the Secret appears",
            "{tenant}: WorkerCluster {wc}, spec.kubeconfigSecretRef.name: no Secret {secret}; create it, or register again with hub cluster add"),
    KubeconfigKeyNotFound(
            error(OPERATOR, CREDENTIALS).at("WC/CredentialsValid=False").event("WC"),
            "the Secret has neither the named key nor kubeconfig nor value",
            "the key appears",
            "{tenant}: Secret {secret}: no key {key}; it has {keys}; put the kubeconfig under kubeconfig, or name the key in spec.kubeconfigSecretRef.key"),
    KubeconfigInvalid(
            error(OPERATOR, CREDENTIALS).at("WC/CredentialsValid=False").event("WC"),
            "not a kubeconfig, no or several usable contexts, no CA, no credential, key does not fit the certificate",
            "the Secret changes and passes",
            "{tenant}: Secret {secret}, {field}: {what}; {cure}"),
    KubeconfigFieldRefused(
            error(OPERATOR, CREDENTIALS).at("WC/CredentialsValid=False").event("WC"),
            "a field that would run a program, read a file or weaken TLS (exec, auth-provider, a path, proxy-url, insecure-skip-tls-verify, impersonation, basic auth, tls-server-name)",
            "the Secret changes and passes",
            "{tenant}: Secret {secret}, {field}: not allowed in the hub, {why}; {cure}"),
    EndpointRefused(
            error(OPERATOR, CREDENTIALS).at("WC/CredentialsValid=False").event("WC"),
            "the server resolves to an address that the egress policy refuses (loopback, link-local, metadata, the management cluster itself)",
            "server or policy changes",
            "{tenant}: Secret {secret}, clusters[0].cluster.server: {host} is {address}, a {class} address; use a reachable one, or allow it in kubeconfigPolicy"),
    NewCredentialsUnproven(
            error(OPERATOR, CREDENTIALS).at("WC/CredentialsValid=False").event("WC"),
            "the Secret changed, the new credential failed its proof (TLS, SelfSubjectAccessReview); the old one stays in use",
            "a credential passes the proof",
            "{tenant}: Secret {secret}: the new kubeconfig failed its test ({cause}); the previous one stays in use{until}; store a working one"),
    CredentialsRejected(
            error(OPERATOR, CREDENTIALS).at("WC/CredentialsValid=False").event("WC"),
            "the API server answers 401",
            "a new Secret content passes the proof",
            "{tenant}: WorkerCluster {wc}: {endpoint} refuses the credential of Secret {secret} (401); store a new kubeconfig: hub cluster rotate {wc} -n {tenant}"),
    CredentialsExpired(
            error(OPERATOR, CREDENTIALS).at("WC/CredentialsValid=False").event("WC"),
            "the client certificate's or token's end has passed",
            "a new Secret content passes the proof",
            "{tenant}: Secret {secret}: the {kind} ended {time}; store a new kubeconfig: hub cluster rotate {wc} -n {tenant}"),
    CredentialsExpiring(
            warning(OPERATOR, CREDENTIALS).at("WC/CredentialsValid=True").event("WC"),
            "14 days or less are left (Scoped: a third of its life or less)",
            "a new credential",
            "{tenant}: Secret {secret}: the {kind} ends {time}, in {duration}; store a new kubeconfig, or let the hub renew it: hub cluster add --scoped"),
    CredentialsRenewalFailed(
            warning(OPERATOR, CREDENTIALS).at("WC/CredentialsValid=True").event("WC"),
            "a scoped token could not be renewed 3 times in a row; it still works",
            "a renewal succeeds",
            "{tenant}: WorkerCluster {wc}, spec.credentials: TokenRequest for ServiceAccount {sa} failed ({cause}); the token ends {time}; restore the ServiceAccount and its Role: hub cluster test {wc} -n {tenant}"),
    PermissionsMissing(
            error(OPERATOR, CREDENTIALS).at("WC/CredentialsValid=False").event("WC"),
            "SelfSubjectRulesReview lacks a needed permission",
            "seen granted (checked at connect and after each 403)",
            "{tenant}: WorkerCluster {wc}: {user} may not {first}{more}; apply the worker role: hub cluster rbac {wc} -n {tenant}"),
    LocalTargetRefused(
            error(OPERATOR, CREDENTIALS).at("WC/CredentialsValid=False").event("WC"),
            "spec.target is ManagementCluster outside the single-cluster mode or outside the hub's own namespace",
            "deleted",
            "{tenant}: WorkerCluster {wc}, spec.target: ManagementCluster works only with hub run --single, in namespace {namespace}; delete it and register a kubeconfig"),

    // Connection to a worker cluster
    EndpointNotResolved(
            error(OPERATOR, CONNECTION).at("WC/Connected=False").event("WC"),
            "DNS has no answer for the server's name",
            "it resolves",
            "{tenant}: WorkerCluster {wc}: {host} has no address ({cause}); check the name in Secret {secret} and the hub's DNS"),
    WorkerClusterUnreachable(
            error(OPERATOR, CONNECTION).at("WC/Connected=False").event("WC"),
            "connection refused, reset, or not made in time",
            "a connection is made",
            "{tenant}: WorkerCluster {wc}: no connection to {endpoint} ({cause}) since {time}; next try in {duration}; check that the API server runs and the network path is open"),
    WorkerClusterNotResponding(
            error(OPERATOR, CONNECTION).at("WC/Connected=False").event("WC"),
            "three HTTP/2 pings in a row unanswered on an open connection",
            "a ping or request is answered",
            "{tenant}: WorkerCluster {wc}: {endpoint} has not answered for {duration}; next try in {duration2}; check firewalls and the API server's load"),
    TLSVerificationFailed(
            error(OPERATOR, CONNECTION).at("WC/Connected=False").event("WC"),
            "the server's certificate is not signed by the kubeconfig's CA, has another name, or is out of date",
            "a handshake succeeds",
            "{tenant}: WorkerCluster {wc}: certificate of {endpoint}: {cause}; expected CA {fingerprint}, got {fingerprint2}; put the right certificate-authority-data into Secret {secret}"),
    WorkerClusterDegraded(
            warning(OPERATOR, CONNECTION).at("WC/Connected=True").event("WC"),
            "over 1 min, 20 % of the requests got 429 or 5xx",
            "below 5 % for 1 min",
            "{tenant}: WorkerCluster {wc}: {endpoint} answered {n} of {m} requests with {codes} in the last minute; the hub slows down; check the API server's load"),
    WorkerClusterThrottled(
            warning(OPERATOR, CONNECTION)
                    .at("WC/Connected=True", "WC/Connected=False")
                    .event("WC"),
            "over 1 min, 20 % of the requests got 429 and none 5xx; or a new connection got 429",
            "below 5 % for 1 min, or the connection is made",
            "{tenant}: WorkerCluster {wc}: {endpoint} refuses requests as too many ({cause}); the hub sends it fewer at a time, for all its tenants; raise the API server's limits for the hub's user (a separate FlowSchema and PriorityLevelConfiguration)"),
    ClusterIdentityChanged(
            error(OPERATOR, CONNECTION).at("WC/Connected=False").event("WC"),
            "the UID of kube-system is not status.clusterID",
            "the old one answers again or the new one is accepted",
            "{tenant}: WorkerCluster {wc}: {endpoint} is another cluster than before ({id2} instead of {id}); nothing is written; if it was rebuilt, accept it: kubectl annotate wc {wc} -n {tenant} osmhub.io/accept-cluster-id={id2}"),
    WorkerVersionUnsupported(
            warning(OPERATOR, CONNECTION).at("WC").event("WC"),
            "the worker's Kubernetes is older than 1.28",
            "upgraded",
            "{tenant}: WorkerCluster {wc}: Kubernetes {version} is older than v1.28, the oldest that the hub is tested with; upgrade the cluster"),
    WorkerClockSkewed(
            warning(OPERATOR, CONNECTION).at("WC").event("WC"),
            "the worker's clock differs from the hub's by more than 2 min",
            "less than 1 min",
            "{tenant}: WorkerCluster {wc}: its clock is {duration} {direction}; tokens may end early or late; fix time synchronisation"),

    // Registration and tenant
    RegistrationConflict(
            error(OPERATOR, SETTINGS).at("Secret").event("Secret"),
            "a labelled Secret names a WorkerCluster that refers to another Secret",
            "label or reference changes",
            "{tenant}: Secret {secret}, label osmhub.io/worker-cluster: WorkerCluster {wc} already uses Secret {secret2}; change spec.kubeconfigSecretRef.name or the label"),
    TenantNamespaceTaken(
            error(OPERATOR, SETTINGS).at("WC/Synced=False").event("WC"),
            "an older WorkerCluster lives in the same namespace",
            "the older one is deleted",
            "{tenant}: WorkerCluster {wc}: namespace {tenant} already belongs to WorkerCluster {wc2}; one namespace is one tenant; register it in a namespace of its own"),
    WorkerClusterDuplicate(
            error(OPERATOR, OWNERSHIP).at("WC/Synced=False").event("WC"),
            "a WorkerCluster of another namespace had the same clusterID first, or an operator decided that it is its",
            "the other one is deleted, or an operator decides for this one",
            "{tenant}: WorkerCluster {wc}: another tenant was served with a worker cluster of this ID ({id}) first; nothing is written; delete one of the two registrations, or decide as a cluster operator whose it is: kubectl label namespace TENANT osmhub.io/cluster-id={id}"),
    WorkerClusterContested(
            warning(OPERATOR, OWNERSHIP).at("WC").event("WC"),
            "another tenant's API server reports the clusterID that this WorkerCluster is served with",
            "at once",
            "{tenant}: WorkerCluster {wc}: the kubeconfig of another tenant leads to an API server that reports the same ID ({id}); this registration stays served; if the worker cluster is this tenant's alone, have a cluster operator confirm it: kubectl label namespace {tenant} osmhub.io/cluster-id={id}"),
    PeerControllerActive(
            error(OPERATOR, OWNERSHIP).at("WC/Synced=False").event("WC"),
            "operating-system-manager's Lease in the worker or tenant namespace was renewed within 60 s, or its field manager wrote one of our objects",
            "no renewal for 60 s",
            "{tenant}: WorkerCluster {wc}: operating-system-manager is still running (Lease {lease}, holder {holder}); nothing is written; scale it to 0 and wait a minute"),
    SettingsInvalid(
            error(OPERATOR, SETTINGS).at("WC/Synced=False").event("WC"),
            "a check of settings.md section 4 fails",
            "all pass",
            "{tenant}: WorkerCluster {wc}, {field}: {what}; {cure}{more}"),
    SettingsReferenceNotFound(
            error(OPERATOR, SETTINGS).at("WC/Synced=False").event("WC"),
            "a Secret, ConfigMap or key named by a setting is missing",
            "it appears",
            "{tenant}: WorkerCluster {wc}, {field}: no {kind} {name} with key {key} in namespace {tenant}; create it, or correct the reference"),
    RegistryCredentialsInvalid(
            error(OPERATOR, SETTINGS).at("WC/Synced=False").event("WC"),
            "the registry credentials Secret does not parse",
            "it does",
            "{tenant}: Secret {secret}, key {key}: {what}; expected .dockerconfigjson with auths, or one JSON object for each registry"),
    WorkerNamespaceMissing(
            error(OPERATOR, SETTINGS).at("WC/Synced=False").event("WC"),
            "the worker has no namespace cloud-init-settings",
            "it appears",
            "{tenant}: WorkerCluster {wc}: no namespace cloud-init-settings in the worker cluster; create it: hub cluster prepare {wc} -n {tenant}"),
    GetterTokenMissing(
            error(OPERATOR, SETTINGS).at("WC/Synced=False").event("WC"),
            "nodeFetch needs the shared token and Secret cloud-init-getter-token or its key token is missing",
            "it appears",
            "{tenant}: worker cluster, Secret cloud-init-settings/cloud-init-getter-token: {what}; create ServiceAccount, Role and token Secret: hub cluster prepare {wc} -n {tenant}"),
    MachineDeploymentAPIMissing(
            warning(OPERATOR, SETTINGS).at("WC/Synced=False").event("WC"),
            "the worker does not serve cluster.k8s.io/v1alpha1 MachineDeployments",
            "it does",
            "{tenant}: WorkerCluster {wc}: the worker cluster has no MachineDeployments (cluster.k8s.io/v1alpha1); install machine-controller"),
    APIServerEndpointMissing(
            error(OPERATOR, SETTINGS).at("WC/Synced=False").event("WC"),
            "no apiServerURL, no cluster-info ConfigMap and no ready EndpointSlice",
            "one of them is there",
            "{tenant}: WorkerCluster {wc}: no address for nodes: ConfigMap kube-public/cluster-info is missing and Service default/kubernetes has no ready endpoint; set spec.provisioning.bootstrap.apiServerURL"),
    ClusterInfoInvalid(
            error(OPERATOR, SETTINGS).at("WC/Synced=False").event("WC"),
            "cluster-info does not parse, or has not exactly one cluster",
            "it is right",
            "{tenant}: worker cluster, ConfigMap kube-public/cluster-info, kubeconfig: {what}; it must hold exactly one cluster with server and certificate-authority-data"),
    CertificateAuthorityMissing(
            error(OPERATOR, SETTINGS).at("WC/Synced=False").event("WC"),
            "neither cluster-info nor the kubeconfig nor kubernetesCA gives CA data",
            "one does",
            "{tenant}: WorkerCluster {wc}: no CA certificate for nodes; set spec.provisioning.kubernetesCA, or put certificate-authority-data into cluster-info"),
    CertificateAuthorityMismatch(
            warning(OPERATOR, SETTINGS).at("WC").event("WC"),
            "cluster-info and the CA for nodes have no certificate in common",
            "they have",
            "{tenant}: WorkerCluster {wc}: nodes join with the CA of cluster-info ({fingerprint}) but get {fingerprint2} as ca.crt; set spec.provisioning.kubernetesCA to a bundle of both, or correct cluster-info"),
    MachineDeploymentsFailing(
            error(TENANT, PUBLISH).at("WC/Synced=False"),
            "at least one MachineDeployment has an open Error",
            "none has",
            "{tenant}: WorkerCluster {wc}: {n} of {m} MachineDeployments have an open problem; first: {md} ({reason}); see hub get problems -n {tenant}"),
    SyncBacklog(
            warning(OPERATOR, PUBLISH).at("WC/Synced=False").event("WC"),
            "the oldest waiting key of the tenant is older than 60 s",
            "younger than 10 s",
            "{tenant}: WorkerCluster {wc}: {n} MachineDeployments wait, the oldest for {duration} ({cause}); raise spec.connection.writeBudget, or wait"),
    AdmissionNotInstalled(
            warning(OPERATOR, SETTINGS).at("WC").event("WC"),
            "the webhook configuration cannot be written in the worker",
            "written",
            "{tenant}: WorkerCluster {wc}, spec.admission.mode: the webhook configuration was refused ({cause}); grant it (hub cluster rbac --admission), or set mode None"),
    WorkerCleanupIncomplete(
            warning(OPERATOR, OWNERSHIP).at("WC").event("WC"),
            "removal let go after spec.cleanupTimeout",
            "never (the WorkerCluster is gone)",
            "{tenant}: WorkerCluster {wc}: removed without cleaning the worker cluster ({cause}); left there: {n} secrets, {m} finalizers; remove them: hub cluster clean --kubeconfig FILE"),
    DefaultProfilesNotInstalled(
            warning(OPERATOR, PROFILE).at("WC").event("WC"),
            "a default profile cannot be written in the shared or tenant namespace",
            "written",
            "{tenant}: OperatingSystemProfile {osp}: not installed ({cause}); {cure}"),
    DefaultProfileKept(
            info(OPERATOR, PROFILE).at("OSP").event("OSP"),
            "an installed default profile was edited or is newer, so the hub leaves it",
            "content equals an installed one",
            "{tenant}: OperatingSystemProfile {osp}: edited since it was installed ({version}), so it is not upgraded to {version2}; delete it to get the new one"),

    // Profile
    TemplateSyntaxError(
            error(TENANT, PROFILE).at("OSP/Valid=False", "OSC/Rendered=False").event("OSP", "MD"),
            "a file or snippet does not parse",
            "the profile changes and parses",
            "{tenant}: OperatingSystemProfile {osp}, {field} ({path}) line {line}:{column}: {what}{suggestion}"),
    TemplateExecutionFailed(
            error(TENANT, PROFILE).at("OSP/Valid=False", "OSC/Rendered=False").event("OSP", "MD"),
            "a template fails when run (missing field, nil, fail, wrong type)",
            "a run succeeds",
            "{tenant}: OperatingSystemProfile {osp}, {field} ({path}) line {line}:{column}: {what}{suggestion}"),
    TemplateLimitExceeded(
            error(TENANT, PROFILE).at("OSP/Valid=False", "OSC/Rendered=False").event("OSP", "MD"),
            "output, steps, depth or time of the sandbox run out",
            "a run stays within",
            "{tenant}: OperatingSystemProfile {osp}, {field} ({path}) line {line}:{column}: more than {limit} {unit}; shorten the loop or the text"),
    ProfileFileInvalid(
            error(TENANT, PROFILE).at("OSP/Valid=False", "OSC/Rendered=False").event("OSP", "MD"),
            "a file has no content.inline",
            "corrected",
            "{tenant}: OperatingSystemProfile {osp}, {field} ({path}): content.inline is missing; add data, an empty text will do"),
    ProfileFieldsPruned(
            error(OPERATOR, PROFILE).at("OSP/Valid=False", "OSC/Rendered=False").event("OSP", "MD"),
            "a CustomResourceDefinition that is not the hub's removed the template engine of a default profile",
            "the hub has stored it again with annotations, or its engine is set",
            "{tenant}: OperatingSystemProfile {osp}, spec.templateEngine: the CustomResourceDefinition pruned it from a default profile, so the language of its templates is not known; set annotation osmhub.io/template-engine to handlebars, or to go if they were rewritten"),
    CloudConfigInvalid(
            error(TENANT, PROFILE).at("OSP/Valid=False", "OSC/Rendered=False").event("OSP", "MD"),
            "the cloud-init document is not YAML",
            "it is",
            "{tenant}: OperatingSystemProfile {osp}: the {part} document is not valid cloud-config, line {line}: {what}; written by {field} ({path})"),
    IgnitionConversionFailed(
            error(TENANT, PROFILE).at("OSP/Valid=False", "OSC/Rendered=False").event("OSP", "MD"),
            "the conversion to Ignition reports anything (it treats warnings as errors)",
            "it reports nothing",
            "{tenant}: OperatingSystemProfile {osp}, {field} ({path}): {what}; {cure}"),
    ProfileWarnings(
            warning(TENANT, PROFILE).at("OSP").event("OSP"),
            "lint has findings that do not stop rendering (duplicate path, odd mode or encoding, schema, shell syntax, size near the limit)",
            "no findings",
            "{tenant}: OperatingSystemProfile {osp}: {n} findings; first: {field} ({path}) line {line}: {what}; see hub lint -n {tenant} {name}"),
    ProfileChangedInPlace(
            warning(TENANT, PROFILE).at("OSP").event("OSP"),
            "content changed under the same spec.version",
            "spec.version changes",
            "{tenant}: OperatingSystemProfile {osp}, spec.version: content changed but {version} did not; it was published all the same; raise the version so that people can tell"),

    // MachineDeployment and rendering
    ProfileNotFound(
            error(TENANT, MACHINE).at("OSC/Rendered=False", "MD").event("MD"),
            "no OSP of that name where it is looked for",
            "it appears",
            "{tenant}: MachineDeployment {md}, annotation k8c.io/operating-system-profile: no OperatingSystemProfile {name} in {namespaces}{suggestion}"),
    ProfileNamespaceNotGranted(
            error(OPERATOR, MACHINE).at("OSC/Rendered=False", "MD").event("MD"),
            "the namespace annotation names one that is not granted or not offered",
            "granted and offered",
            "{tenant}: MachineDeployment {md}, annotation k8c.io/operating-system-profile-namespace: {namespace} is not {state} this tenant; {cure}"),
    ProfileAnnotationMissing(
            warning(TENANT, MACHINE).at("MD").event("MD"),
            "a MachineDeployment with the hub's finalizer has no profile annotation",
            "annotation set or object deleted",
            "{tenant}: MachineDeployment {md}, annotation k8c.io/operating-system-profile: removed; its secrets stay but are not updated; set it again"),
    ProfileOperatingSystemMismatch(
            error(TENANT, MACHINE)
                    .at("OSC/Rendered=False", "MD")
                    .event("MD")
                    .eventReason("OperatingSystemProfileError"),
            "osName is not the MachineDeployment's operatingSystem",
            "they agree",
            "{tenant}: MachineDeployment {md}, providerSpec.value.operatingSystem: OperatingSystemProfile \"{name}\" does not support operating system \"{os}\"; profiles that do: {names}"),
    ProfileCloudProviderMismatch(
            error(TENANT, MACHINE)
                    .at("OSC/Rendered=False", "MD")
                    .event("MD")
                    .eventReason("OperatingSystemProfileError"),
            "cloudProvider is not among supportedCloudProviders",
            "it is",
            "{tenant}: MachineDeployment {md}, providerSpec.value.cloudProvider: OperatingSystemProfile \"{name}\" does not support cloud provider \"{provider}\"; it supports {names}"),
    ProfileKubernetesVersionMismatch(
            error(TENANT, MACHINE).at("OSC/Rendered=False", "MD").event("MD"),
            "the kubelet version does not meet supportedKubernetesVersions",
            "it does",
            "{tenant}: MachineDeployment {md}, spec.template.spec.versions.kubelet: OperatingSystemProfile {osp} supports {constraint}, not {version}; choose another version or profile"),
    ProvisioningUtilityMismatch(
            error(TENANT, MACHINE).at("OSC/Rendered=False", "MD").event("MD"),
            "the profile's provisioningUtility is not the one that the MachineDeployment asks for",
            "they agree",
            "{tenant}: MachineDeployment {md} asks for {utility}, OperatingSystemProfile {osp} makes {utility2}; set operatingSystemSpec.provisioningUtility or spec.provisioningUtility"),
    ProviderSpecMissing(
            error(TENANT, MACHINE).at("OSC/Rendered=False", "MD").event("MD"),
            "providerSpec.value is absent or empty",
            "it is there",
            "{tenant}: MachineDeployment {md}, spec.template.spec.providerSpec.value: missing; set cloudProvider, cloudProviderSpec and operatingSystem"),
    ProviderSpecInvalid(
            error(TENANT, MACHINE).at("OSC/Rendered=False", "MD").event("MD"),
            "unknown field or wrong type in providerSpec.value or operatingSystemSpec",
            "corrected",
            "{tenant}: MachineDeployment {md}, spec.template.spec.providerSpec.value.{field}: {what}{suggestion}"),
    OperatingSystemUnknown(
            error(TENANT, MACHINE).at("OSC/Rendered=False", "MD").event("MD"),
            "an operating system that the hub does not render",
            "changed",
            "{tenant}: MachineDeployment {md}, providerSpec.value.operatingSystem: unknown operating system \"{os}\"; known: {names}"),
    KubeletVersionInvalid(
            error(TENANT, MACHINE).at("OSC/Rendered=False", "MD").event("MD"),
            "versions.kubelet is not a valid version",
            "it is",
            "{tenant}: MachineDeployment {md}, spec.template.spec.versions.kubelet: \"{value}\" is not a version; write for example 1.34.2"),
    KubeletAnnotationInvalid(
            error(TENANT, MACHINE).at("OSC/Rendered=False", "MD").event("MD"),
            "a kubelet setting annotation does not parse",
            "it does",
            "{tenant}: MachineDeployment {md}, annotation v1.kubelet-config.machine-controller.kubermatic.io/{name}: \"{value}\" is not {expected}; write for example {example}"),
    StaticNetworkNotSupported(
            error(TENANT, MACHINE).at("OSC/Rendered=False", "MD").event("MD"),
            "static IP settings with another OS than flatcar",
            "changed",
            "{tenant}: MachineDeployment {md}, providerSpec.value.network: static IP config is not supported with {os}; use flatcar, or remove cidr, gateway and dns"),
    CloudProviderUnknown(
            error(TENANT, MACHINE).at("OSC/Rendered=False", "MD").event("MD"),
            "kubelet below 1.29, not external, and no in-tree cloud config for the provider",
            "changed",
            "{tenant}: MachineDeployment {md}, providerSpec.value.cloudProvider: no in-tree cloud config for \"{provider}\" with kubelet {version}; use kubelet 1.29 or newer, or externalCloudProvider"),
    ProviderReferenceNotFound(
            error(TENANT, MACHINE).at("OSC/Rendered=False", "MD").event("MD"),
            "a secretKeyRef or configMapKeyRef of cloudProviderSpec names nothing",
            "it appears",
            "{tenant}: MachineDeployment {md}, providerSpec.value.cloudProviderSpec.{field}: no {kind} {name} with key {key} in the worker cluster; create it"),
    ProviderReferenceForbidden(
            error(OPERATOR, MACHINE).at("OSC/Rendered=False", "MD").event("MD"),
            "the credential may not read the reference",
            "granted",
            "{tenant}: MachineDeployment {md}, providerSpec.value.cloudProviderSpec.{field}: the hub may not read {kind} {name}; grant get on it, or put the value into spec.provisioning.cloudCredentialsSecretRef"),
    CloudCredentialsInvalid(
            error(TENANT, MACHINE).at("OSC/Rendered=False", "MD").event("MD"),
            "a credential of the in-tree cloud config has the wrong form",
            "corrected",
            "{tenant}: MachineDeployment {md}, providerSpec.value.cloudProviderSpec.{field}: {what}; expected {expected}"),
    RevisionNotSet(
            warning(OPERATOR, MACHINE).at("MD").event("MD"),
            "no revision annotation 2 min after creation",
            "set",
            "{tenant}: MachineDeployment {md}, annotation machinedeployment.clusters.k8s.io/revision: not set; machine-controller has not seen it; check that it runs in the worker cluster"),

    // Publishing
    PublishPending(
            info(Actor.HUB, PUBLISH).at("OSC/Published=Unknown"),
            "rendered, writes wait for their turn",
            "written or failed",
            "{tenant}: OperatingSystemConfig {osc}: waiting to be published ({cause})"),
    PublishRetrying(
            warning(Actor.HUB, PUBLISH).at("OSC/Published=False"),
            "a write failed in a way that may pass (5xx, timeout, conflict)",
            "the write succeeds",
            "{tenant}: Secret {secret}: {verb} failed ({cause}), try {n}, next in {duration}; older content stays in use"),
    UserDataTooLarge(
            error(TENANT, PUBLISH).at("OSC/Published=False").event("MD"),
            "the bootstrap document is larger than the provider takes",
            "it fits",
            "{tenant}: MachineDeployment {md}: bootstrap user-data has {bytes}, {provider} takes {limit}; largest: {field} ({path}) {bytes2}; move it to provisioningConfig; older content stays in use"),
    ObjectTooLarge(
            error(TENANT, PUBLISH).at("OSC/Published=False").event("MD"),
            "a secret above 1 MiB or an OSC above 1.5 MiB",
            "it fits",
            "{tenant}: {kind} {name}: {bytes}, the API server takes {limit}; largest: {field} ({path}) {bytes2}; shorten it; older content stays in use"),
    NameCollision(
            error(TENANT, OWNERSHIP).at("MD").event("MD"),
            "two MachineDeployments give one object name",
            "one is gone",
            "{tenant}: MachineDeployment {md}: {kind} {name} already belongs to MachineDeployment {md2}; nothing is overwritten; rename this MachineDeployment"),
    NameTooLong(
            error(TENANT, OWNERSHIP).at("MD").event("MD"),
            "an object name above 253 or a token label above 63 characters",
            "renamed",
            "{tenant}: MachineDeployment {md}: {kind} name would have {n} characters, {limit} are allowed; give it a name of at most {m} characters"),
    ObjectNotOwned(
            error(OPERATOR, OWNERSHIP).at("OSC/Published=False", "MD").event("MD"),
            "an object of our name exists that neither the hub nor the peer wrote, or that another hub wrote",
            "it is gone or marked",
            "{tenant}: {kind} {name}: written by {manager}, not by this hub; nothing is overwritten; delete it, or hand it over: kubectl annotate {kind} {name} osmhub.io/machine-deployment={md}"),
    WriteForbidden(
            error(OPERATOR, PUBLISH).at("OSC/Published=False").event("MD", "WC"),
            "403 on a write",
            "a write succeeds",
            "{tenant}: {kind} {name}: {user} may not {verb} {resource} in {namespace}; apply the worker role: hub cluster rbac {wc} -n {tenant}"),
    WriteRejected(
            error(OPERATOR, PUBLISH).at("OSC/Published=False").event("MD"),
            "400, 422, a quota or a webhook refuses the write",
            "a write succeeds",
            "{tenant}: {kind} {name}: {verb} refused: {what}; {cure}"),
    DriftRepaired(
            info(Actor.HUB, OWNERSHIP).at("OSC").event("MD"),
            "an owned object was deleted or edited and has been restored",
            "at once",
            "{tenant}: {kind} {name}: {change} by {manager}, restored after {duration}"),
    DriftLoop(
            warning(OPERATOR, OWNERSHIP).at("OSC/Published=False").event("MD"),
            "restored 5 times within 10 min",
            "10 min without",
            "{tenant}: {kind} {name}: {manager} changed it {n} times in 10 min, last {field}; stop that writer; the hub goes on with growing pauses"),
    ImmutableSecretReplaced(
            info(Actor.HUB, PUBLISH).at("OSC").event("MD"),
            "an immutable secret of the peer was replaced",
            "at once",
            "{tenant}: Secret {secret}: was immutable, replaced by a mutable one (missing for {duration}); later changes are made in place"),

    // Joining
    BootstrapTokenExpiring(
            error(Actor.HUB, TOKEN).at("OSC/TokenValid=False").event("MD"),
            "less than 20 min are left and the extension failed",
            "extended",
            "{tenant}: Secret kube-system/{token}, expiration: {duration} left, not extended ({cause}); nodes that start later cannot join; {cure}"),
    BootstrapTokenExpired(
            error(OPERATOR, TOKEN).at("OSC/TokenValid=False").event("MD"),
            "no valid token",
            "extended or replaced",
            "{tenant}: Secret kube-system/{token}, expiration: ended {time} ({cause}); new nodes cannot join; {cure}"),
    BootstrapTokenMissing(
            error(OPERATOR, TOKEN).at("OSC/TokenValid=False").event("MD"),
            "the token that published secrets hold was deleted, and no other could be published",
            "another one is published",
            "{tenant}: Secret kube-system/{token}: it was deleted and not replaced ({cause}); new nodes cannot join; {cure}"),
    BootstrapTokenReplaced(
            info(Actor.HUB, TOKEN).at("OSC").event("MD"),
            "a token was missing, unreadable, one of several, or older than a week, and a new one was made",
            "at once",
            "{tenant}: Secret kube-system/{token}: made because {cause}; older ones stay valid until they end"),
    FetchTokenExpiring(
            error(Actor.HUB, TOKEN).at("OSC/TokenValid=False").event("MD"),
            "machines fetch with a token of their own, less than 20 min of it are left, and the next one could not be had",
            "renewed",
            "{tenant}: ServiceAccount cloud-init-settings/{account}: the token with which machines fetch has {duration} left, not renewed ({cause}); nodes that start later cannot come; {cure}"),
    FetchTokenExpired(
            error(OPERATOR, TOKEN).at("OSC/TokenValid=False").event("MD"),
            "the token of their own with which machines fetch has ended",
            "renewed",
            "{tenant}: ServiceAccount cloud-init-settings/{account}: the token with which machines fetch ended {time} ({cause}); new nodes cannot come; {cure}"),
    ServiceAccountTokenMissing(
            error(OPERATOR, TOKEN).at("OSC/TokenValid=False").event("MD"),
            "the ServiceAccount of bootstrap.serviceAccountRef or its token Secret is missing",
            "it appears",
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
            "objects that the peer left were found right",
            "at once",
            "{tenant}: WorkerCluster {wc}: took over {n} MachineDeployments of operating-system-manager; {m} secrets unchanged, {k} to be updated"),
    LeftoversRemoved(
            info(Actor.HUB, OWNERSHIP).at("WC").event("WC"),
            "objects marked as ours whose MachineDeployment is gone were deleted",
            "at once",
            "{tenant}: WorkerCluster {wc}: removed {n} objects of MachineDeployments that are gone: {names}"),
    KubeconfigRotated(
            info(Actor.HUB, CREDENTIALS).at("WC").event("WC"),
            "a new kubeconfig passed its proof and is in use",
            "at once",
            "{tenant}: WorkerCluster {wc}: new kubeconfig in use ({endpoint}, {user}); the old connection is closed"),
    CredentialsRenewed(
            info(Actor.HUB, CREDENTIALS).at("WC").event("WC"),
            "a scoped token was renewed",
            "at once",
            "{tenant}: WorkerCluster {wc}: token of ServiceAccount {sa} renewed, ends {time}"),
    ProblemResolved(
            info(Actor.HUB, SUMMARY).at("WC").event("WC", "MD", "OSP"),
            "an Error or Warning that had an Event is gone",
            "at once",
            "{tenant}: {kind} {name}: {reason} is over after {duration}"),

    // Hub
    ManagementClusterUnreachable(
            error(OPERATOR, Category.HUB).at("Hub"),
            "the management API has not answered for 10 s",
            "it answers",
            "hub: management cluster {endpoint}: {cause} since {time}; nothing is written until it is back; {n} tenants keep what was published"),
    ManagementPermissionsMissing(
            error(OPERATOR, Category.HUB).at("Hub").event("Hub"),
            "the hub's ServiceAccount lacks a permission",
            "granted",
            "hub: management cluster: {user} may not {first}{more}; apply the manifests of this version (rbac-management.yaml)"),
    CRDForeignManaged(
            warning(OPERATOR, Category.HUB).at("Hub").event("Hub"),
            "an OSP or OSC CRD is not ours and lacks the additions",
            "taken over or extended",
            "hub: CustomResourceDefinition {crd}: managed by {manager} and without {what}; its status is not written; take it over: hub install crds --take-over"),
    WebhookCertificateExpiring(
            warning(OPERATOR, Category.HUB).at("Hub").event("Hub"),
            "a serving or CA certificate is past 90 % of its life and not renewed",
            "renewed",
            "hub: Secret {secret}: webhook certificate ends {time}, renewal failed ({cause}); allow update on that Secret"),
    WebhookBundleNotPatched(
            error(OPERATOR, Category.HUB).at("Hub").event("Hub"),
            "a webhook configuration holds another CA than the hub serves with",
            "patched",
            "hub: {kind} {name}, caBundle: not the hub's CA, {cause}; {cure}"),
    LeaseLost(
            warning(Actor.HUB, Category.HUB).at("Hub").event("Hub"),
            "the member Lease was not renewed in time",
            "renewed",
            "hub: Lease {lease}: not renewed for {duration} ({cause}); this replica stopped writing for its {n} tenants"),
    InternalError(
            error(Actor.HUB, Category.HUB)
                    .at("OSC/Rendered=Unknown", "WC/Synced=Unknown", "Hub")
                    .event("MD", "WC"),
            "an unexpected failure in the hub's code",
            "a run succeeds",
            "{tenant}: {kind} {name}: internal error, reconcileId {id}; published content stays; report it with the log lines of that id");

    private static final Map<String, Reason> BY_WORD =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Reason::word, Function.identity()));

    @SuppressWarnings("ImmutableEnumChecker") // a record of lists that are only made unmodifiable
    private final Facts facts;

    private final String set;
    private final String cleared;
    private final String template;

    Reason(Facts facts, String set, String cleared, String template) {
        this.facts = facts;
        this.set = set;
        this.cleared = cleared;
        this.template = template;
    }

    /** The reason of that name, if there is one. */
    public static Optional<Reason> of(String word) {
        return Optional.ofNullable(BY_WORD.get(word));
    }

    /** As in conditions, Events, metrics and documentation. */
    public String word() {
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
    public List<Place> places() {
        return facts.places();
    }

    /** Objects that get the Event; empty when there is none. */
    public List<Subject> events() {
        return facts.events();
    }

    /** Reason of the Event; the peer's word where people may wait for it. */
    public String eventReason() {
        return facts.eventReason().isEmpty() ? word() : facts.eventReason();
    }

    /** When it is set, one clause. */
    public String set() {
        return set;
    }

    /** When it is cleared, one clause. */
    public String cleared() {
        return cleared;
    }

    /** The message with its variables in braces; {@link Message} fills them. */
    public String template() {
        return template;
    }

    private static Facts error(Actor actor, Category category) {
        return new Facts(Severity.ERROR, actor, category, List.of(), List.of(), "");
    }

    private static Facts warning(Actor actor, Category category) {
        return new Facts(Severity.WARNING, actor, category, List.of(), List.of(), "");
    }

    private static Facts info(Actor actor, Category category) {
        return new Facts(Severity.INFO, actor, category, List.of(), List.of(), "");
    }

    private record Facts(
            Severity severity,
            Actor actor,
            Category category,
            List<Place> places,
            List<Subject> events,
            String eventReason) {
        Facts at(String... notations) {
            List<Place> at = Arrays.stream(notations).map(Place::of).toList();
            return new Facts(severity, actor, category, at, events, eventReason);
        }

        Facts event(String... subjects) {
            List<Subject> on = Arrays.stream(subjects).map(Subject::of).toList();
            return new Facts(severity, actor, category, places, on, eventReason);
        }

        Facts eventReason(String word) {
            return new Facts(severity, actor, category, places, events, word);
        }
    }
}
