package io.osmhub.core.workercluster;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.resource.WireEnum;
import io.osmhub.core.resource.WireRecord;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a tenant's operator wants. Fields with a default are never null. The last four are the tenant's settings as stored, which
 * {@code core.settings} reads; null inherits all of them.
 */
@WireRecord
public record WorkerClusterSpec(
        Target target,
        @Nullable KubeconfigSecretRef kubeconfigSecretRef,
        Boolean paused,
        DeletionPolicy deletionPolicy,
        OsmContent osmContent,
        String cleanupTimeout,
        @Nullable List<String> formerHubIDs,
        Credentials credentials,
        @Nullable ObjectNode provisioning,
        @Nullable ObjectNode profiles,
        @Nullable ObjectNode connection,
        @Nullable ObjectNode admission) {

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
    public record KubeconfigSecretRef(String name, @Nullable String key) {}

    /** How the hub obtains its credential. */
    @WireRecord
    public record Credentials(
            CredentialsMode mode,
            @Nullable ServiceAccountRef serviceAccountRef,
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

    /** A ServiceAccount of the worker cluster. */
    @WireRecord
    public record ServiceAccountRef(String namespace, String name) {}
}
