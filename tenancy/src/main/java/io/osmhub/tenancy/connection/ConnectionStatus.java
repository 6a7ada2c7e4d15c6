package io.osmhub.tenancy.connection;

import io.osmhub.core.problem.Problem;
import io.osmhub.core.workercluster.WorkerClusterStatus.CredentialsKind;
import io.osmhub.workersync.apiserver.KubeApi;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known about the connection to a worker cluster.
 *
 * @param since start of the phase
 * @param api null without a connection
 * @param credentials for the condition {@code CredentialsValid}
 * @param connection for the condition {@code Connected}
 * @param warnings an old version, clock skew, OSM still running; empty without a connection
 * @param facts those of the last connection; before, what the kubeconfig and earlier statuses tell
 * @param noAnswerSince time of the last answer while the API server does not answer; null while it does
 */
public record ConnectionStatus(
        Phase phase,
        Instant since,
        @Nullable KubeApi api,
        Problem credentials,
        Problem connection,
        List<Problem> warnings,
        ConnectionFacts facts,
        UsedCredential credential,
        @Nullable Instant noAnswerSince) {

    /**
     * Phase of a connection.
     *
     * <pre>
     * IDLE -> CONNECTING -> CONNECTED <-> DEGRADED
     *              |  ^         |
     *              v  |         v
     *  UNREACHABLE, UNAUTHORIZED, IDENTITY_CHANGED          any -> CLOSED
     * </pre>
     */
    public enum Phase {
        /** Nothing was tried. */
        IDLE("Idle"),
        /** No attempt has ended, or too few have failed to count as unreachable. */
        CONNECTING("Connecting"),
        /** Requests succeed. */
        CONNECTED("Connected"),
        /** Too many requests fail because the server is overloaded or broken. */
        DEGRADED("Degraded"),
        /** No verified connection. */
        UNREACHABLE("Unreachable"),
        /** The credential is rejected, or forbidden for that address. A new Secret is tried at once. */
        UNAUTHORIZED("Unauthorized"),
        /** Nothing is read or written in the other cluster. */
        IDENTITY_CHANGED("IdentityChanged"),
        /** Final. */
        CLOSED("Closed");

        private final String logName;

        Phase(String logName) {
            this.logName = logName;
        }

        String logName() {
            return logName;
        }
    }

    /**
     * The credential in use; before the first connection, that of the kubeconfig to be tried.
     *
     * @param expiresAt null if unknown
     * @param certificateAuthority of the kubeconfig, PEM; empty without
     * @param contentHash of the kubeconfig; empty without
     */
    public record UsedCredential(
            CredentialsKind kind, @Nullable Instant expiresAt, String certificateAuthority, String contentHash) {}

    public ConnectionStatus {
        warnings = List.copyOf(warnings);
    }

    /** Null without a connection. */
    public @Nullable Instant connectedSince() {
        return api != null && isUsable() ? since : null;
    }

    /** Whether the connection works, or did until a moment ago. */
    boolean isUsable() {
        return phase == Phase.CONNECTED || phase == Phase.DEGRADED;
    }

    /** Whether the hub's credential is neither rejected nor near its end. */
    public boolean areCredentialsValid() {
        return switch (credentials.reason()) {
            case CredentialsRejected, CredentialsExpired, CredentialsExpiring, CredentialsRenewalFailed -> false;
            default -> true;
        };
    }

    /** Name of the Lease in {@code kube-system} of an OSM that runs there; empty if none does. */
    public String peerLease() {
        ConnectionFacts.PeerLease peer = facts.peer();
        return peer == null ? "" : peer.lease();
    }

    /** Replaces the credential's condition. */
    public ConnectionStatus with(Problem otherCredentials, CredentialsKind otherKind) {
        return new ConnectionStatus(
                phase,
                since,
                api,
                otherCredentials,
                connection,
                warnings,
                facts,
                new UsedCredential(
                        otherKind, credential.expiresAt(), credential.certificateAuthority(), credential.contentHash()),
                noAnswerSince);
    }
}
