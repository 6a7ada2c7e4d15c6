package io.osmhub.tenancy.link;

import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.workercluster.WorkerClusterStatus.CredentialsKind;
import io.osmhub.workersync.apiserver.KubeApi;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * State of the link to a worker cluster.
 *
 * @param api null without a connection
 * @param credentials the CredentialsValid condition, by its reason
 * @param connection the Connected condition, by its reason
 * @param problems other problems
 * @param endpoint URL of the API server, for display
 * @param clusterId UID of the worker's {@code kube-system}; empty if unknown
 * @param kubernetesVersion null if unknown
 * @param scopedFetch whether the hub may create accounts and roles for single MachineDeployments
 * @param kubeconfigCa certificate authorities of the kubeconfig in use, PEM; empty without
 * @param connectedSince null without a connection
 * @param noAnswerSince time of the last answer while the API server does not answer; null while it does
 * @param user the hub's user name; empty if unknown
 */
public record LinkState(
        @Nullable KubeApi api,
        ReasonMessage credentials,
        ReasonMessage connection,
        List<ReasonMessage> problems,
        String endpoint,
        String clusterId,
        @Nullable String kubernetesVersion,
        @Nullable CredentialsKind credentialsKind,
        @Nullable Instant credentialsExpireAt,
        List<String> missingPermissions,
        boolean scopedFetch,
        String kubeconfigCa,
        @Nullable Instant connectedSince,
        @Nullable Instant noAnswerSince,
        String user) {
    public LinkState {
        problems = List.copyOf(problems);
        missingPermissions = List.copyOf(missingPermissions);
    }

    /** Whether the hub's credential is neither rejected nor near its end. */
    public boolean areCredentialsValid() {
        return switch (credentials.reason()) {
            case CredentialsRejected, CredentialsExpired, CredentialsExpiring, CredentialsRenewalFailed -> false;
            default -> true;
        };
    }

    /** Replaces the credential's condition. */
    public LinkState with(ReasonMessage otherCredentials, @Nullable CredentialsKind otherKind) {
        return new LinkState(
                api,
                otherCredentials,
                connection,
                problems,
                endpoint,
                clusterId,
                kubernetesVersion,
                otherKind,
                credentialsExpireAt,
                missingPermissions,
                scopedFetch,
                kubeconfigCa,
                connectedSince,
                noAnswerSince,
                user);
    }
}
