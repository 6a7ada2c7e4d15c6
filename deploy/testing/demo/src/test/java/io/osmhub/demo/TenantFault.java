package io.osmhub.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.schema.WhyReport;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.LinkName;
import io.osmhub.core.status.Chain.LinkState;
import io.osmhub.demo.stage.MachineFlavor;
import io.osmhub.sim.faults.ClusterFaults.FaultAction;
import io.osmhub.sim.faults.ClusterFaults.ServedCertificate;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** What may go wrong, one tenant for each: how it is brought about, and what has to be named as the cause. */
@SuppressWarnings("ImmutableEnumChecker") // functions without a state
public enum TenantFault {
    PROFILE_MISSPELT(
            "the annotation names a profile that is not there",
            Reason.ProfileNotFound,
            LinkName.PROFILE,
            scene -> scene.useProfile("osp-exampel")),
    TEMPLATE_SYNTAX(
            "a template calls a function that does not exist",
            Reason.TemplateSyntaxError,
            LinkName.PROFILE,
            scene -> scene.addTenantProfile(spec -> scene.file(spec, "{{ .KubeVersion | toYamll }}"))),
    TEMPLATE_FAILS(
            "a template fails when it is run",
            Reason.TemplateExecutionFailed,
            LinkName.PROFILE,
            scene -> scene.addTenantProfile(spec -> scene.file(spec, "{{ fail \"not for this cluster\" }}"))),
    OPERATING_SYSTEM(
            "the profile is for another operating system",
            Reason.ProfileOperatingSystemMismatch,
            LinkName.PROFILE,
            scene -> scene.useProfile(MachineFlavor.FLATCAR_ON_OPENSTACK.profile())),
    PROVIDER(
            "the profile does not serve the cloud provider",
            Reason.ProfileCloudProviderMismatch,
            LinkName.PROFILE,
            scene -> scene.provider().put("cloudProvider", "gce")),
    KUBERNETES_VERSION(
            "the profile does not serve the kubelet's version",
            Reason.ProfileKubernetesVersionMismatch,
            LinkName.PROFILE,
            scene -> scene.addTenantProfile(spec -> spec.put("supportedKubernetesVersions", "<1.30.0"))),
    PROFILE_NAMESPACE(
            "the annotation names a namespace that is not granted",
            Reason.ProfileNamespaceNotGranted,
            LinkName.PROFILE,
            scene -> scene.annotate("k8c.io/operating-system-profile-namespace", "another-team")),
    PROVISIONING_UTILITY(
            "machine and profile disagree about cloud-init and Ignition",
            Reason.ProvisioningUtilityMismatch,
            LinkName.PROFILE,
            scene -> {
                scene.useProfile(MachineFlavor.FLATCAR_ON_OPENSTACK.profile());
                scene.provider().put("operatingSystem", "flatcar").put("cloudProvider", "openstack");
                scene.provider().putObject("operatingSystemSpec").put("provisioningUtility", "cloud-init");
            }),
    PROVIDER_FIELD(
            "the provider config has an unknown field",
            Reason.ProviderSpecInvalid,
            LinkName.RENDERED_CONFIG,
            scene -> scene.provider().put("cloudProvidr", "aws")),
    PROVIDER_CONFIG(
            "the provider config is missing",
            Reason.ProviderSpecMissing,
            LinkName.RENDERED_CONFIG,
            scene -> scene.machine().remove("providerSpec")),
    KUBELET_VERSION(
            "the kubelet's version is not a version, or older than 1.29",
            Reason.KubeletVersionInvalid,
            LinkName.RENDERED_CONFIG,
            scene -> scene.machine().putObject("versions").put("kubelet", "one.34")),
    KUBELET_SETTING(
            "a kubelet setting is not a number",
            Reason.KubeletAnnotationInvalid,
            LinkName.RENDERED_CONFIG,
            scene -> scene.annotate("v1.kubelet-config.machine-controller.kubermatic.io/MaxPods", "many")),
    UNREADABLE(
            "the kubelet cannot read its rendered configuration",
            Reason.UserDataUnreadable,
            LinkName.RENDERED_CONFIG,
            scene -> scene.addTenantProfile(spec -> FaultFixture.addBootstrapFile(
                    spec, "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nmaxPods: many\n"))),
    STATIC_NETWORK(
            "a static address with a system that does not support it",
            Reason.StaticNetworkNotSupported,
            LinkName.RENDERED_CONFIG,
            scene -> {
                ObjectNode network = scene.provider().putObject("network");
                network.put("cidr", "192.0.2.10/24").put("gateway", "192.0.2.1");
                network.putObject("dns").putArray("servers").add("192.0.2.53");
            }),
    USER_DATA_SIZE(
            "the bootstrap document exceeds the provider's limit",
            Reason.UserDataTooLarge,
            LinkName.RENDERED_CONFIG,
            scene -> scene.addTenantProfile(spec -> FaultFixture.addBootstrapFile(spec, large()))),
    NAME("two MachineDeployments give one name", Reason.NameCollision, LinkName.RENDERED_CONFIG, scene -> {
        scene.addOtherMachineDeployment("b-c", "a");
        scene.rename("c", "a-b");
    }),
    GETTER_TOKEN(
            "the worker cluster has no token with which machines fetch",
            Reason.GetterTokenMissing,
            LinkName.RENDERED_CONFIG,
            scene -> scene.worker().delete("v1", "Secret", "cloud-init-settings", "cloud-init-getter-token")),
    NO_ADDRESS(
            "neither cluster-info nor a Service says where nodes find the API server",
            Reason.APIServerEndpointMissing,
            LinkName.RENDERED_CONFIG,
            scene -> {
                scene.worker().delete("discovery.k8s.io/v1", "EndpointSlice", "default", "kubernetes");
                scene.worker()
                        .patch(
                                "v1",
                                "ConfigMap",
                                "kube-public",
                                "cluster-info",
                                "{\"data\":{\"kubeconfig\":\"nonsense: [\"}}");
            }),
    STRANGER(
            "another owner's Secret has the name",
            Reason.ObjectNotOwned,
            LinkName.BOOTSTRAP_SECRET,
            scene -> scene.worker().create("""
                {"apiVersion":"v1","kind":"Secret","metadata":{"namespace":"cloud-init-settings",
                 "name":"workers-kube-system-bootstrap-config"},"data":{"mine":"eA=="}}\
                """)),
    WRITE_FORBIDDEN(
            "the hub may not write Secrets in the worker cluster",
            Reason.WriteForbidden,
            LinkName.BOOTSTRAP_TOKEN,
            scene -> scene.rejectWrites("secrets", 403)),
    WRITE_REFUSED(
            "the worker cluster refuses Secrets",
            Reason.WriteRejected,
            LinkName.BOOTSTRAP_TOKEN,
            scene -> scene.rejectWrites("secrets", 422)),
    WRITE_FAILS(
            "writes in the worker cluster fail again and again",
            Reason.PublishRetrying,
            LinkName.BOOTSTRAP_TOKEN,
            scene -> scene.rejectWrites("secrets", 500)),
    PROFILE_REMOVED(
            "the profile's annotation is removed",
            Reason.ProfileAnnotationMissing,
            LinkName.PROFILE,
            TenantFault::nothing,
            scene -> scene.patchMachineDeployment(
                    "{\"metadata\":{\"annotations\":{\"k8c.io/operating-system-profile\":null}}}")),
    SETTINGS_REFERENCE(
            "a setting names a Secret that is not there",
            Reason.SettingsReferenceNotFound,
            LinkName.RENDERED_CONFIG,
            TenantFault::nothing,
            scene -> scene.patchWorkerCluster(
                    "{\"spec\":{\"provisioning\":{\"registries\":{\"credentialsSecretRef\":{\"name\":\"nothing\"}}}}}")),
    PAUSED(
            "the tenant is paused",
            Reason.Paused,
            LinkName.WORKER_CONNECTION,
            TenantFault::nothing,
            scene -> scene.patchWorkerCluster("{\"spec\":{\"paused\":true}}")),
    UNREACHABLE(
            "the worker cluster's API server is not there",
            Reason.WorkerClusterUnreachable,
            LinkName.WORKER_CONNECTION,
            TenantFault::nothing,
            scene -> {
                scene.faults().refuseConnections(true);
                scene.faults().closeConnections();
            }),
    NO_ANSWER(
            "the worker cluster's API server does not answer",
            Reason.WorkerClusterNotResponding,
            LinkName.WORKER_CONNECTION,
            TenantFault::nothing,
            scene -> scene.faults().blackHole(true)),
    CREDENTIAL(
            "the worker cluster refuses the hub's credential",
            Reason.CredentialsRejected,
            LinkName.WORKER_CONNECTION,
            TenantFault::nothing,
            scene -> {
                scene.revokeCredential();
                scene.faults().closeConnections();
            }),
    CERTIFICATE(
            "another server answers instead of the worker cluster",
            Reason.TLSVerificationFailed,
            LinkName.WORKER_CONNECTION,
            TenantFault::nothing,
            scene -> {
                scene.faults().serveCertificate(ServedCertificate.FOREIGN);
                scene.faults().closeConnections();
            }),
    KUBECONFIG_FIELD(
            "a new kubeconfig would run a program",
            Reason.NewCredentialsUnproven,
            LinkName.WORKER_CONNECTION,
            TenantFault::nothing,
            scene -> scene.replaceKubeconfig(user -> {
                user.removeAll();
                user.putObject("exec")
                        .put("apiVersion", "client.authentication.k8s.io/v1")
                        .put("command", "true");
            })),
    NEW_KUBECONFIG(
            "a new kubeconfig does not work",
            Reason.NewCredentialsUnproven,
            LinkName.WORKER_CONNECTION,
            TenantFault::nothing,
            scene -> scene.replaceKubeconfig(user -> user.put("token", "nobody-gave-this"))),
    NO_KUBECONFIG(
            "the kubeconfig Secret is deleted",
            Reason.KubeconfigSecretNotFound,
            LinkName.WORKER_CONNECTION,
            scene -> scene.registerByObject(),
            scene -> scene.removeKubeconfig());

    /** The first shared profile that supports the MachineDeployment. */
    private static final Map<TenantFault, String> OTHER_PROFILE = Map.of(
            OPERATING_SYSTEM, "osp-example",
            PROVIDER, "osp-ubuntu",
            KUBERNETES_VERSION, "osp-example");

    /** For people; the guide to operating lists them by it. */
    private final String what;

    private final Reason cause;
    private final LinkName link;
    private final Consumer<FaultFixture> before;
    private final Consumer<FaultFixture> after;

    /** There from the beginning. */
    TenantFault(String what, Reason cause, LinkName link, Consumer<FaultFixture> before) {
        this(what, cause, link, before, TenantFault::nothing);
    }

    /** @param after what happens once everything is published */
    TenantFault(String what, Reason cause, LinkName link, Consumer<FaultFixture> before, Consumer<FaultFixture> after) {
        this.what = what;
        this.cause = cause;
        this.link = link;
        this.before = before;
        this.after = after;
    }

    String what() {
        return what;
    }

    Reason cause() {
        return cause;
    }

    LinkName link() {
        return link;
    }

    /** The command of the fix; empty if no command can state it. */
    public String command(FaultFixture scene) {
        String tenant = scene.namespace();
        String cluster = scene.workerCluster() + " -n " + tenant;
        String rotate = "hub cluster rotate " + cluster + " --kubeconfig FILE";
        String annotate = "kubectl -n kube-system annotate --overwrite machinedeployment workers"
                + " k8c.io/operating-system-profile=";
        return switch (this) {
            case PROFILE_MISSPELT -> annotate + "osp-example";
            case PROFILE_REMOVED -> annotate + MachineFlavor.UBUNTU_ON_AWS.profile();
            case OPERATING_SYSTEM, PROVIDER, KUBERNETES_VERSION -> annotate + OTHER_PROFILE.get(this);
            case TEMPLATE_SYNTAX, TEMPLATE_FAILS, USER_DATA_SIZE, UNREADABLE ->
                "kubectl -n " + tenant + " edit operatingsystemprofile osp-own";
            case PROVISIONING_UTILITY,
                    PROVIDER_FIELD,
                    PROVIDER_CONFIG,
                    KUBELET_VERSION,
                    KUBELET_SETTING,
                    STATIC_NETWORK -> "kubectl -n kube-system edit machinedeployment workers";
            case PROFILE_NAMESPACE, NO_ADDRESS, SETTINGS_REFERENCE ->
                "kubectl -n " + tenant + " edit workercluster " + scene.workerCluster();
            case GETTER_TOKEN -> "hub cluster prepare " + cluster;
            case STRANGER ->
                "kubectl -n cloud-init-settings annotate Secret workers-kube-system-bootstrap-config"
                        + " osmhub.io/machine-deployment=kube-system/workers";
            case WRITE_FORBIDDEN -> "hub cluster rbac " + cluster + " | kubectl apply -f -";
            case PAUSED -> "hub cluster resume " + cluster;
            case UNREACHABLE, NO_ANSWER -> "hub cluster test " + cluster;
            case CREDENTIAL, CERTIFICATE, KUBECONFIG_FIELD, NEW_KUBECONFIG, NO_KUBECONFIG -> rotate;
            case NAME, WRITE_REFUSED, WRITE_FAILS -> "";
        };
    }

    /** Whether the report names the reason at its link, with the command of the fix. */
    public boolean isNamedIn(WhyReport report, String command) {
        boolean broken =
                report.links().stream().anyMatch(each -> each.state() == LinkState.BROKEN && each.name() == link);
        return broken
                && report.newNodes() != NewNodes.CURRENT
                && report.cause() != null
                && report.cause().classification().reason() == cause
                && report.cause().text().headline() != null
                && report.cause().fix().cure() != null
                && !report.cause().fix().cure().isBlank()
                && Objects.requireNonNullElse(report.cause().fix().command(), "")
                        .equals(command);
    }

    public void prepare(FaultFixture scene) {
        before.accept(scene);
    }

    public void inject(FaultFixture scene) {
        after.accept(scene);
    }

    /** Whether nodes come until it strikes. */
    public boolean isInjectedLater() {
        return Set.of(
                        PROFILE_REMOVED,
                        SETTINGS_REFERENCE,
                        PAUSED,
                        UNREACHABLE,
                        NO_ANSWER,
                        CREDENTIAL,
                        CERTIFICATE,
                        KUBECONFIG_FIELD,
                        NEW_KUBECONFIG,
                        NO_KUBECONFIG)
                .contains(this);
    }

    private static void nothing(FaultFixture scene) {
        // It is there from the beginning, or comes later.
    }

    /** A text that no packing makes smaller. */
    static String large() {
        byte[] bytes = new byte[18_000];
        RandomGenerator.of("L64X128MixRandom").nextBytes(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    static FaultAction refused(int code) {
        return FaultAction.fail(code);
    }
}
