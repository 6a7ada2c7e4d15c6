package io.osmhub.tenancy.connection;

import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.status.UnitFormatter;
import io.osmhub.tenancy.client.CertificateFailure;
import io.osmhub.tenancy.connection.ConnectFailure.RefusedAddress;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Problems and facts of one connection, for conditions and Events. Pure. */
final class ConnectionMessages {
    private static final Duration EXPIRES_SOON = Duration.ofDays(14);

    private final ConnectionSubject subject;

    ConnectionMessages(ConnectionSubject subject) {
        this.subject = subject;
    }

    /**
     * A failed attempt.
     *
     * @param knownId UID of the expected cluster; empty if unknown
     * @param foundId UID of another cluster; empty unless that is the failure
     */
    Problem failed(
            ConnectFailure failure,
            ValidatedKubeconfig kubeconfig,
            String knownId,
            String foundId,
            Instant since,
            Instant now) {
        String endpoint = endpoint(kubeconfig);
        return switch (failure.kind()) {
            case NOT_RESOLVED ->
                problem(
                        Reason.EndpointNotResolved,
                        Map.of("host", kubeconfig.host(), "cause", failure.message(), "secret", subject.secretPath()));
            case NO_CONNECTION, ANSWERS_ERRORS ->
                problem(
                        Reason.WorkerClusterUnreachable,
                        Map.of(
                                "endpoint",
                                endpoint,
                                "cause",
                                failure.message(),
                                "time",
                                UnitFormatter.formatTime(since)));
            case THROTTLED ->
                problem(Reason.WorkerClusterThrottled, Map.of("endpoint", endpoint, "cause", failure.message()));
            case NOT_RESPONDING ->
                problem(
                        Reason.WorkerClusterNotResponding,
                        Map.of("endpoint", endpoint, "time", UnitFormatter.formatTime(since)));
            case TLS -> tls(failure, endpoint);
            case OTHER_CLUSTER ->
                problem(Reason.ClusterIdentityChanged, Map.of("endpoint", endpoint, "id", knownId, "id2", foundId));
            case ENDPOINT_REFUSED -> refused(failure, kubeconfig);
            case UNAUTHORIZED -> unauthorized(kubeconfig, now);
            case LESS_PERMISSIONS -> newCredentialRejected(failure, null, now);
        };
    }

    private Problem tls(ConnectFailure failure, String endpoint) {
        CertificateFailure tls = failure.tls();
        return problem(
                Reason.TLSVerificationFailed,
                Map.of(
                        "endpoint", endpoint,
                        "cause", tls == null ? failure.message() : tls.cause(),
                        "fingerprint", tls == null ? "of the kubeconfig" : tls.expected(),
                        "fingerprint2", tls == null ? "none" : tls.got(),
                        "secret", subject.secretPath()));
    }

    private Problem refused(ConnectFailure failure, ValidatedKubeconfig kubeconfig) {
        RefusedAddress address = failure.address();
        return problem(
                Reason.EndpointRefused,
                Map.of(
                        "secret",
                        subject.secretPath(),
                        "host",
                        kubeconfig.host(),
                        "address",
                        address == null ? "unknown" : address.address(),
                        "class",
                        address == null ? "refused" : address.addressClass()));
    }

    private Problem unauthorized(ValidatedKubeconfig kubeconfig, Instant now) {
        Instant end = kubeconfig.expiresAt();
        return end != null && !end.isAfter(now)
                ? problem(
                        Reason.CredentialsExpired,
                        Map.of(
                                "secret", subject.secretPath(),
                                "kind", kubeconfig.credential().kind(),
                                "time", UnitFormatter.formatTime(end)))
                : problem(
                        Reason.CredentialsRejected,
                        Map.of("endpoint", endpoint(kubeconfig), "secret", subject.secretPath()));
    }

    /** The new kubeconfig failed; the old one is in use and ends at {@code oldEnds}, if known. */
    Problem newCredentialRejected(ConnectFailure failure, @Nullable Instant oldEnds, Instant now) {
        String until = oldEnds == null
                ? ""
                : oldEnds.isAfter(now)
                        ? " until " + UnitFormatter.formatTime(oldEnds)
                        : " although it expired " + UnitFormatter.formatTime(oldEnds);
        return problem(
                Reason.NewCredentialsUnproven,
                Map.of("secret", subject.secretPath(), "cause", failure.message(), "until", until));
    }

    Problem notChecked() {
        return problem(Reason.CredentialsNotChecked, Map.of("secret", subject.secretPath()));
    }

    Problem connecting(ValidatedKubeconfig kubeconfig) {
        return problem(Reason.Connecting, Map.of("endpoint", endpoint(kubeconfig)));
    }

    Problem connected(ConnectionFacts facts) {
        String version = facts.version().isEmpty() ? "version unknown" : facts.version();
        return problem(Reason.ConnectionEstablished, Map.of("endpoint", facts.endpoint(), "version", version));
    }

    Problem degraded(ConnectionFacts facts, RequestHealth.MinuteStatistics minute) {
        return minute.codes().equals("429")
                ? problem(
                        Reason.WorkerClusterThrottled,
                        Map.of("endpoint", facts.endpoint(), "cause", minute.lastRefusal()))
                : problem(
                        Reason.WorkerClusterDegraded,
                        Map.of(
                                "endpoint", facts.endpoint(),
                                "n", Integer.toString(minute.refused()),
                                "m", Integer.toString(minute.requests()),
                                "codes", minute.codes()));
    }

    /** The credential in use, with missing permissions or expiration. */
    Problem credential(ConnectionFacts facts, ValidatedKubeconfig kubeconfig, Instant now) {
        Problem missing = missingPermissions(facts);
        if (missing != null) {
            return missing;
        }
        Instant end = kubeconfig.expiresAt();
        return end != null && expiresSoon(end, now)
                ? expiring(kubeconfig, end, now)
                : problem(Reason.CredentialsAccepted, Map.of("user", facts.user() + limits(facts.missing())));
    }

    /** Null unless the hub cannot serve the cluster. */
    @Nullable Problem missingPermissions(ConnectionFacts facts) {
        List<Permission> required = RequiredPermissions.indispensable(facts.missing());
        return required.isEmpty()
                ? null
                : problem(
                        Reason.PermissionsMissing,
                        Map.of(
                                "user",
                                facts.user(),
                                "first",
                                required.getFirst().toString(),
                                "more",
                                required.size() == 1 ? "" : " (and " + (required.size() - 1) + " more)"));
    }

    Problem expiring(ValidatedKubeconfig kubeconfig, Instant end, Instant now) {
        return problem(
                Reason.CredentialsExpiring,
                Map.of(
                        "secret", subject.secretPath(),
                        "kind", kubeconfig.credential().kind(),
                        "time", UnitFormatter.formatTime(end),
                        "duration", UnitFormatter.formatDuration(Duration.between(now, end))));
    }

    static boolean expiresSoon(Instant end, Instant now) {
        return !end.minus(EXPIRES_SOON).isAfter(now);
    }

    /** What does not work with these permissions; empty if everything does. */
    static String limits(List<Permission> missing) {
        return missing.stream()
                .map(RequiredPermissions::limitWithout)
                .filter(Objects::nonNull)
                .distinct()
                .map(limit -> "; " + limit)
                .collect(Collectors.joining());
    }

    Problem oldVersion(String version) {
        return problem(Reason.WorkerVersionUnsupported, Map.of("version", version));
    }

    Problem skewed(Duration ahead) {
        return problem(
                Reason.WorkerClockSkewed,
                Map.of(
                        "duration",
                        UnitFormatter.formatDuration(ahead.abs()),
                        "direction",
                        ahead.isNegative() ? "behind" : "ahead"));
    }

    Problem peerActive(ConnectionFacts.PeerLease peer) {
        return problem(
                Reason.PeerControllerActive, Map.of("lease", "kube-system/" + peer.lease(), "holder", peer.holder()));
    }

    Problem problem(Reason reason, Map<String, String> values) {
        Map<String, String> all = new HashMap<>(values);
        all.put("tenant", subject.tenant());
        all.put("wc", subject.workerCluster());
        return reason.with(all);
    }

    static String endpoint(ValidatedKubeconfig kubeconfig) {
        return kubeconfig.server().toString();
    }
}
