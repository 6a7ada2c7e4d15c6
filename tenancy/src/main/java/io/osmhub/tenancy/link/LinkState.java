package io.osmhub.tenancy.link;

import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.workercluster.WorkerClusterStatus.CredentialsKind;
import io.osmhub.workersync.apiserver.KubeApi;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the way to a worker cluster stands.
 *
 * @param api null while there is no connection to work with
 * @param credentials whether CredentialsValid holds, by its reason
 * @param connection whether Connected holds, by its reason
 * @param problems what else there is to say
 * @param endpoint URL of the API server, for people
 * @param clusterId UID of the worker's {@code kube-system}; empty when it was not seen
 * @param kubernetesVersion null when it is not known
 * @param scopedFetch whether the hub may make accounts and roles for single MachineDeployments
 * @param kubeconfigCa certificate authorities of the kubeconfig in use, PEM; empty without
 * @param connectedSince null while there is no connection
 * @param user as whom the hub is signed in; empty when it is not known
 */
public record LinkState(
        @Nullable KubeApi api,
        Diagnosis credentials,
        Diagnosis connection,
        List<Diagnosis> problems,
        String endpoint,
        String clusterId,
        @Nullable String kubernetesVersion,
        @Nullable CredentialsKind credentialsKind,
        @Nullable Instant credentialsExpireAt,
        List<String> missingPermissions,
        boolean scopedFetch,
        String kubeconfigCa,
        @Nullable Instant connectedSince,
        String user) {
    public LinkState {
        problems = List.copyOf(problems);
        missingPermissions = List.copyOf(missingPermissions);
    }

    /** Whether the hub stays signed in: its credential is neither refused nor near its end. */
    public boolean credentialsGood() {
        return switch (credentials.reason()) {
            case CredentialsRejected, CredentialsExpired, CredentialsExpiring, CredentialsRenewalFailed -> false;
            default -> true;
        };
    }

    /** The same with something else to say of the credential. */
    public LinkState with(Diagnosis otherCredentials, @Nullable CredentialsKind otherKind) {
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
                user);
    }
}
