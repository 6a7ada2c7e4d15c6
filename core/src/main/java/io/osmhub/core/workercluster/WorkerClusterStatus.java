package io.osmhub.core.workercluster;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.resource.ProblemSeverity;
import io.osmhub.core.resource.WireEnum;
import io.osmhub.core.resource.WireRecord;
import io.osmhub.core.schema.FieldAnnotations.Atomic;
import io.osmhub.core.schema.FieldAnnotations.FieldDescription;
import io.osmhub.core.schema.FieldAnnotations.ListMapKeys;
import io.osmhub.core.schema.FieldAnnotations.NumberLimits;
import io.osmhub.core.schema.FieldAnnotations.SizeLimits;
import io.osmhub.core.schema.FieldAnnotations.TextLimits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the hub found about a tenant. */
@WireRecord
public record WorkerClusterStatus(
        @FieldDescription("The metadata.generation that this status describes.") @Nullable Long observedGeneration,

        @FieldDescription(
                "Conditions: Ready, CredentialsValid, Connected, Synced. Reasons and messages are listed in reasons.md.")
        @SizeLimits(max = 16)
        @ListMapKeys("type")
        @Nullable List<Condition> conditions,

        @FieldDescription(
                "One word for the tenant. Connecting: not read yet. Synced: connected, everything published. Degraded: connected, but "
                        + "something is not published or the API server throttles or errs. Unreachable: no trusted connection. "
                        + "Unauthorized: the credential is refused, expired or unusable. Paused: spec.paused. Closed: being removed.")
        @Nullable State state,

        @FieldDescription("URL of the worker cluster's API server.") @TextLimits(maxLength = 2048) @Nullable String endpoint,

        @FieldDescription("UID of the namespace kube-system of the worker cluster. Writes stop when it changes.")
        @TextLimits(maxLength = 128)
        @Nullable String clusterID,

        @FieldDescription("Version of the worker cluster's API server, for example v1.34.4.")
        @TextLimits(maxLength = 64)
        @Nullable String kubernetesVersion,

        @FieldDescription("What the hub signs in with.") @Nullable CredentialsKind credentialsKind,

        @FieldDescription("When the credential in use ends. Absent when it has no end that can be read from it.")
        @TextLimits(format = "date-time")
        @Nullable String credentialsExpireAt,

        @FieldDescription("Permissions that the credential lacks, as \"verb resource in namespace\".")
        @SizeLimits(max = 64)
        @Atomic
        @Nullable List<@TextLimits(maxLength = 256) String> missingPermissions,

        @FieldDescription("MachineDeployments of the worker cluster that name an OperatingSystemProfile.") @Nullable MachineDeploymentCounts machineDeployments,

        @FieldDescription("Open problems of this tenant, of severity Error and Warning.")
        @NumberLimits(min = 0)
        @Nullable Integer problemCount,

        @FieldDescription("The first 20 open problems, worst and oldest first. The API and the CLI list all of them.")
        @SizeLimits(max = 20)
        @Atomic
        @Nullable List<OpenProblem> problems,

        @FieldDescription("When the connection in use was made.") @TextLimits(format = "date-time") @Nullable String lastConnectedTime,

        @FieldDescription(
                "Time of the last answer of the API server, while it does not answer: set after 3 s without an answer to a ping. "
                        + "Absent while it answers.")
        @TextLimits(format = "date-time")
        @Nullable String noAnswerSince,

        @FieldDescription("End of the last run that changed something in the worker cluster.")
        @TextLimits(format = "date-time")
        @Nullable String lastSyncTime,

        @FieldDescription("Last value of the annotation osmhub.io/reconcile-requested-at that was acted on.")
        @TextLimits(maxLength = 128)
        @Nullable String lastHandledRequest) {

    public WorkerClusterStatus {
        conditions = NullableCollections.copyOf(conditions);
        missingPermissions = NullableCollections.copyOf(missingPermissions);
        problems = NullableCollections.copyOf(problems);
    }

    /** Summary of a tenant's state. */
    @WireEnum
    public enum State {
        @JsonProperty("Connecting")
        CONNECTING,
        @JsonProperty("Synced")
        SYNCED,
        @JsonProperty("Degraded")
        DEGRADED,
        @JsonProperty("Unreachable")
        UNREACHABLE,
        @JsonProperty("Unauthorized")
        UNAUTHORIZED,
        @JsonProperty("Paused")
        PAUSED,
        @JsonProperty("Closed")
        CLOSED
    }

    /** The kind of credential in use. */
    @WireEnum
    public enum CredentialsKind {
        @JsonProperty("ClientCertificate")
        CLIENT_CERTIFICATE,
        @JsonProperty("Token")
        TOKEN,
        @JsonProperty("ScopedToken")
        SCOPED_TOKEN,
        @JsonProperty("InCluster")
        IN_CLUSTER
    }

    /** MachineDeployments by what happens to a node that starts now. */
    @WireRecord
    public record MachineDeploymentCounts(
            @FieldDescription("All of them; the sum of the others.") @NumberLimits(min = 0) @Nullable Integer total,

            @FieldDescription("New nodes start with what the profile gives now.") @NumberLimits(min = 0) @Nullable Integer current,

            @FieldDescription("New nodes start now, but will stop to unless someone acts.")
            @NumberLimits(min = 0)
            @Nullable Integer atRisk,

            @FieldDescription("New nodes start with an older configuration.") @NumberLimits(min = 0) @Nullable Integer outdated,

            @FieldDescription("New nodes do not start.") @NumberLimits(min = 0) @Nullable Integer blocked,

            @FieldDescription("Not known yet, or being published at this moment.") @NumberLimits(min = 0) @Nullable Integer pending) {}

    /** One open problem of the tenant. */
    @WireRecord
    public record OpenProblem(
            @FieldDescription("Reason as in reasons.md.") @TextLimits(maxLength = 128)
            String reason,

            @FieldDescription("Error = something is not published or will not start; Warning = it may come to that.")
            ProblemSeverity severity,

            @FieldDescription("Kind of the object that the problem is about.") @TextLimits(maxLength = 63) @Nullable String kind,

            @FieldDescription("Its namespace.") @TextLimits(maxLength = 63) @Nullable String namespace,

            @FieldDescription("Its name.") @TextLimits(maxLength = 253) @Nullable String name,

            @FieldDescription(
                    "Of a MachineDeployment: the OperatingSystemProfile that it uses, as namespace/name; its name alone if it cannot be used.")
            @TextLimits(maxLength = 317)
            @Nullable String profile,

            @FieldDescription("What is wrong, where, and how to fix it.") @TextLimits(maxLength = 1024)
            String message,

            @FieldDescription("When it was first seen.") @TextLimits(format = "date-time")
            String since) {}
}
