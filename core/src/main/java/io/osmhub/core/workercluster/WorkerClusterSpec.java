package io.osmhub.core.workercluster;

import static io.osmhub.core.workercluster.WorkerClusterCelRule.BURST_COVERS_RATE;
import static io.osmhub.core.workercluster.WorkerClusterCelRule.KNOWN_OPERATING_SYSTEMS;
import static io.osmhub.core.workercluster.WorkerClusterCelRule.KUBECONFIG_NEEDS_A_SECRET;
import static io.osmhub.core.workercluster.WorkerClusterCelRule.MANAGEMENT_CLUSTER_NEEDS_NO_SECRET;
import static io.osmhub.core.workercluster.WorkerClusterCelRule.SCOPED_FIELDS_NEED_SCOPED;
import static io.osmhub.core.workercluster.WorkerClusterCelRule.SCOPED_NEEDS_A_KUBECONFIG;
import static io.osmhub.core.workercluster.WorkerClusterCelRule.TARGET_STAYS;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.resource.NameRules.DataKey;
import io.osmhub.core.resource.NameRules.NamespaceName;
import io.osmhub.core.resource.NameRules.ObjectName;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.resource.WireEnum;
import io.osmhub.core.resource.WireRecord;
import io.osmhub.core.schema.FieldAnnotations.Atomic;
import io.osmhub.core.schema.FieldAnnotations.DefaultValue;
import io.osmhub.core.schema.FieldAnnotations.DurationLimits;
import io.osmhub.core.schema.FieldAnnotations.FieldDescription;
import io.osmhub.core.schema.FieldAnnotations.NumberLimits;
import io.osmhub.core.schema.FieldAnnotations.SizeLimits;
import io.osmhub.core.schema.FieldAnnotations.TextLimits;
import io.osmhub.core.schema.FieldAnnotations.UniqueItems;
import io.osmhub.core.workercluster.WorkerClusterCelRule.CelRules;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a tenant's operator. Null means left out, which inherits; an empty text or list is a value, which
 * switches an inherited one off. Fields with a default are never null.
 */
@WireRecord
@CelRules({KUBECONFIG_NEEDS_A_SECRET, MANAGEMENT_CLUSTER_NEEDS_NO_SECRET, SCOPED_NEEDS_A_KUBECONFIG})
public record WorkerClusterSpec(
        @FieldDescription(
                "Which API server is the worker cluster: the one that the kubeconfig Secret names, or the management cluster itself. "
                        + "ManagementCluster is honoured only by a hub started for a single cluster, in its own namespace.")
        @DefaultValue("Kubeconfig")
        @CelRules(TARGET_STAYS)
        Target target,

        @FieldDescription("Secret of the same namespace that holds the kubeconfig of the worker cluster.") @Nullable KubeconfigSecretRef kubeconfigSecretRef,

        @FieldDescription(
                "While true the hub keeps its caches and this status but writes nothing to the worker cluster and no OperatingSystemConfig. "
                        + "Bootstrap tokens then run out.")
        @DefaultValue("false")
        Boolean paused,

        @FieldDescription(
                "What removing this WorkerCluster does to the objects that the hub wrote. Delete removes them (OperatingSystemConfigs, "
                        + "secrets, bootstrap tokens); Retain leaves them, to hand the cluster over. Finalizers on MachineDeployments go in both cases.")
        @DefaultValue("Delete")
        DeletionPolicy deletionPolicy,

        @FieldDescription(
                "What happens to secrets that Operating System Manager published and that the hub would publish with other content. "
                        + "Keep leaves them and reports how many there are; Replace publishes the hub's content.")
        @DefaultValue("Keep")
        OsmContent osmContent,

        @FieldDescription(
                "How long removal waits for an unreachable worker cluster before it lets go and records what stayed. 0s to 1h.")
        @DefaultValue("2m")
        @TextLimits(maxLength = 20)
        @DurationLimits(shortest = "0s", longest = "1h")
        String cleanupTimeout,

        @FieldDescription(
                "Hubs that this one has replaced in the worker cluster, by their osmhub.io/hub-id: what they wrote there counts as its own. "
                        + "Set by hub cluster takeover, once such a hub is stopped.")
        @SizeLimits(max = 16)
        @UniqueItems
        @Nullable List<@TextLimits(maxLength = 128) String> formerHubIDs,

        @FieldDescription("How the hub obtains its credential for the worker cluster.") @DefaultValue("{}")
        Credentials credentials,

        @FieldDescription(
                "What reaches the rendered user-data. A change rotates the secrets whose content it changes, and only those.")
        @Nullable ProvisioningSettings provisioning,

        @FieldDescription("Where this tenant's OperatingSystemProfiles come from.") @Nullable ProfileSettings profiles,

        @FieldDescription("How the hub talks to the worker cluster's API server.") @Nullable ConnectionSettings connection,

        @FieldDescription(
                "The hub's webhook in the worker cluster, which sets and checks the profile of MachineDeployments.")
        @Nullable AdmissionSettings admission) {

    public WorkerClusterSpec {
        target = Objects.requireNonNullElse(target, Target.KUBECONFIG);
        paused = Objects.requireNonNullElse(paused, false);
        deletionPolicy = Objects.requireNonNullElse(deletionPolicy, DeletionPolicy.DELETE);
        osmContent = Objects.requireNonNullElse(osmContent, OsmContent.KEEP);
        cleanupTimeout = Objects.requireNonNullElse(cleanupTimeout, "2m");
        formerHubIDs = NullableCollections.copyOf(formerHubIDs);
        credentials = Objects.requireNonNullElse(credentials, Credentials.PROVIDED);
    }

    /** Which API server is the worker cluster. */
    @WireEnum
    public enum Target {
        @JsonProperty("Kubeconfig")
        KUBECONFIG,
        @JsonProperty("ManagementCluster")
        MANAGEMENT_CLUSTER
    }

    /** What removing a tenant does to the objects that the hub wrote. */
    @WireEnum
    public enum DeletionPolicy {
        @JsonProperty("Delete")
        DELETE,
        // A policy unknown to this version must not delete anything.
        @JsonEnumDefaultValue
        @JsonProperty("Retain")
        RETAIN
    }

    /** What happens to content of OSM that differs. */
    @WireEnum
    public enum OsmContent {
        // A choice unknown to this version must not replace anything.
        @JsonEnumDefaultValue
        @JsonProperty("Keep")
        KEEP,
        @JsonProperty("Replace")
        REPLACE
    }

    /** Location of the kubeconfig; without a key, the first existing one of {@code kubeconfig} and {@code value}. */
    @WireRecord
    @Atomic
    public record KubeconfigSecretRef(
            @FieldDescription("Name of the Secret.") @ObjectName
            String name,

            @FieldDescription(
                    "Key in the Secret's data. Left out, the first that exists of \"kubeconfig\" and \"value\".")
            @DataKey
            @Nullable String key) {}

    /** How the hub obtains its credential. */
    @WireRecord
    @CelRules(SCOPED_FIELDS_NEED_SCOPED)
    public record Credentials(
            @FieldDescription(
                    "Provided uses what the Secret holds, as it is. Scoped makes a ServiceAccount with exactly the permissions needed, "
                            + "stores its token in the Secret in place of what was there, and renews it once a third of its life has passed.")
            @DefaultValue("Provided")
            CredentialsMode mode,

            @FieldDescription(
                    "ServiceAccount in the worker cluster whose token is stored. Default kube-system/osm-hub.")
            @Nullable ServiceAccountRef serviceAccountRef,

            @FieldDescription("Life asked for each token; the API server may grant less. 1h to 720h, default 168h.")
            @TextLimits(maxLength = 20)
            @DurationLimits(shortest = "1h", longest = "720h")
            @Nullable String tokenTTL) {
        static final Credentials PROVIDED = new Credentials(CredentialsMode.PROVIDED, null, null);

        public Credentials {
            mode = Objects.requireNonNullElse(mode, CredentialsMode.PROVIDED);
        }

        /** Whether the hub uses the given credential or one that it creates. */
        @WireEnum
        public enum CredentialsMode {
            @JsonProperty("Provided")
            PROVIDED,
            @JsonProperty("Scoped")
            SCOPED
        }
    }

    /** The hub's webhook in a worker cluster. */
    @WireRecord
    public record AdmissionSettings(
            @FieldDescription(
                    "Managed = the hub installs the webhook configuration and keeps it right; None = it removes its own. Default Managed where "
                            + "the hub knows a URL that worker clusters reach it at.")
            @Nullable AdmissionMode mode,

            @FieldDescription("What the worker cluster does when the hub does not answer. Default Ignore.") @Nullable FailurePolicy failurePolicy,

            @FieldDescription("How long the worker cluster waits for the answer, in seconds. Default 5.")
            @NumberLimits(min = 1, max = 30)
            @Nullable Integer timeoutSeconds) {

        /** Whether the hub keeps a webhook configuration in the worker cluster. */
        @WireEnum
        public enum AdmissionMode {
            @JsonProperty("Managed")
            MANAGED,
            @JsonProperty("None")
            NONE
        }

        /** What the worker cluster does when the hub does not answer. */
        @WireEnum
        public enum FailurePolicy {
            @JsonProperty("Ignore")
            IGNORE,
            @JsonProperty("Fail")
            FAIL
        }
    }

    /** How the hub connects to a worker cluster's API server. */
    @WireRecord
    public record ConnectionSettings(
            @FieldDescription("Longest a request may take. 1s to 60s, default 10s.")
            @TextLimits(maxLength = 20)
            @DurationLimits(shortest = "1s", longest = "60s")
            @Nullable String requestTimeout,

            @FieldDescription(
                    "Time between HTTP/2 pings. After 30 s of unanswered ones, at least three, the worker cluster counts as not responding. 1s to 60s, default 6s.")
            @TextLimits(maxLength = 20)
            @DurationLimits(shortest = "1s", longest = "60s")
            @Nullable String pingInterval,

            @FieldDescription(
                    "MachineDeployments of this tenant that are worked on at the same time, at most the hub's tenancy.maxConcurrentReconciles. Default 10.")
            @NumberLimits(min = 1, max = 100)
            @Nullable Integer maxConcurrentReconciles,

            @FieldDescription("Most writes to the worker cluster's API server.") @Nullable WriteBudget writeBudget) {

        /** Limits of writes to a worker cluster's API server. */
        @WireRecord
        @CelRules(BURST_COVERS_RATE)
        public record WriteBudget(
                @FieldDescription("Writes a second, on average. Default 200.")
                @NumberLimits(min = 1, max = 2000)
                @Nullable Integer perSecond,

                @FieldDescription("Writes that may come at once after a quiet time. Default 1000.")
                @NumberLimits(min = 1, max = 10000)
                @Nullable Integer burst) {}
    }

    /** Where a tenant's profiles come from. */
    @WireRecord
    public record ProfileSettings(
            @FieldDescription(
                    "Namespaces, in addition to the tenant's own and the shared one, that a MachineDeployment may name with the annotation "
                            + "k8c.io/operating-system-profile-namespace. Each must also be offered by the label osmhub.io/share-profiles=true.")
            @SizeLimits(max = 16)
            @UniqueItems
            @Nullable List<@NamespaceName String> namespaces,

            @FieldDescription(
                    "Where the default profiles are installed for this tenant. Shared = once, in the shared namespace; PerNamespace = in the "
                            + "tenant's too; None = the tenant sees none.")
            @Nullable InstallDefaults installDefaults,

            @FieldDescription(
                    "Profile that admission sets on a MachineDeployment without one, by operating system. Default osp-<os>.")
            @SizeLimits(max = 16)
            @CelRules(KNOWN_OPERATING_SYSTEMS)
            @Nullable Map<String, @ObjectName String> byOperatingSystem) {

        public ProfileSettings {
            namespaces = NullableCollections.copyOf(namespaces);
            byOperatingSystem = NullableCollections.copyOf(byOperatingSystem);
        }

        /** Where the default profiles are installed for a tenant. */
        @WireEnum
        public enum InstallDefaults {
            @JsonProperty("Shared")
            SHARED,
            @JsonProperty("PerNamespace")
            PER_NAMESPACE,
            @JsonProperty("None")
            NONE
        }
    }

    /** A ServiceAccount of the worker cluster. */
    @WireRecord
    @Atomic
    public record ServiceAccountRef(
            @FieldDescription("Namespace.") @NamespaceName String namespace,
            @FieldDescription("Name.") @ObjectName String name) {}
}
