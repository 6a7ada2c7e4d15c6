package io.osmhub.core.workercluster;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.LinkName;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.resource.ProblemSeverity;
import io.osmhub.core.resource.StoredProblem;
import io.osmhub.core.resource.WireEnum;
import io.osmhub.core.resource.WireRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the hub found about a tenant. */
@WireRecord
public record WorkerClusterStatus(
        @Nullable Long observedGeneration,
        @Nullable List<Condition> conditions,
        @Nullable State state,
        @Nullable String endpoint,
        @Nullable String clusterID,
        @Nullable String kubernetesVersion,
        @Nullable CredentialsKind credentialsKind,
        @Nullable String credentialsExpireAt,
        @Nullable List<String> missingPermissions,
        @Nullable MachineDeploymentCounts machineDeployments,
        @Nullable Integer problemCount,
        @Nullable List<OpenProblem> problems,
        @Nullable String lastConnectedTime,
        @Nullable String noAnswerSince,
        @Nullable String lastSyncTime,
        @Nullable String lastHandledRequest,
        @Nullable StoredProblem pause) {

    public WorkerClusterStatus {
        conditions = NullableCollections.copyOf(conditions);
        missingPermissions = NullableCollections.copyOf(missingPermissions);
        problems = NullableCollections.copyOf(problems);
    }

    /** The pause in a list; empty if it is not paused. */
    public List<StoredProblem> pauses() {
        return pause == null ? List.of() : List.of(pause);
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
            @Nullable Integer total,
            @Nullable Integer current,
            @Nullable Integer atRisk,
            @Nullable Integer outdated,
            @Nullable Integer blocked,
            @Nullable Integer pending) {}

    /** One open problem of the tenant. */
    @WireRecord
    public record OpenProblem(
            String reason,
            ProblemSeverity severity,
            @Nullable String kind,
            @Nullable String namespace,
            @Nullable String name,
            @Nullable String profile,
            String message,
            String since,
            @Nullable StoredProblem details) {
        /** The link of the chain that it breaks; null if none. */
        public @Nullable LinkName link() {
            return details == null ? Reason.of(reason).map(Reason::brokenLink).orElse(null) : details.link();
        }

        /** The problem in parts; of the message alone if an earlier version stored it. */
        public Problem toProblem(Problem.Scope scope) {
            Reason as = Reason.of(reason).orElse(Reason.InternalError);
            return details == null ? Problem.ofMessage(as, message) : details.toProblem(as, scope);
        }
    }
}
