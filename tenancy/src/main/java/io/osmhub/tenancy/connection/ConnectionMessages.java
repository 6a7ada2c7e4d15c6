package io.osmhub.tenancy.connection;

import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.client.CertificateFailure;
import io.osmhub.tenancy.connection.ConnectFailure.RefusedAddress;
import io.osmhub.tenancy.connection.ReportedCondition.ConditionStatus;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.tenancy.kubeconfig.WorkerCredential;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Messages about a connection. Pure. */
final class ConnectionMessages {
    private final ConnectionSubject subject;

    ConnectionMessages(ConnectionSubject subject) {
        this.subject = subject;
    }

    /** A failed attempt; {@code aboutCredential} selects the condition. */
    record FailureCondition(boolean aboutCredential, ReportedCondition verdict) {}

    FailureCondition failed(
            ConnectFailure failure,
            ValidatedKubeconfig kubeconfig,
            String knownId,
            String foundId,
            Instant since,
            Instant now) {
        String endpoint = endpoint(kubeconfig);
        return switch (failure.kind()) {
            case NOT_RESOLVED ->
                connection(
                        Reason.EndpointNotResolved,
                        Map.of("host", kubeconfig.host(), "cause", failure.message(), "secret", subject.secretPath()));
            case NO_CONNECTION, ANSWERS_ERRORS ->
                connection(
                        Reason.WorkerClusterUnreachable,
                        Map.of("endpoint", endpoint, "cause", failure.message(), "time", time(since)));
            case THROTTLED ->
                connection(Reason.WorkerClusterThrottled, Map.of("endpoint", endpoint, "cause", failure.message()));
            case NOT_RESPONDING ->
                connection(Reason.WorkerClusterNotResponding, Map.of("endpoint", endpoint, "time", time(since)));
            case TLS -> tls(failure, endpoint);
            case OTHER_CLUSTER ->
                connection(Reason.ClusterIdentityChanged, Map.of("endpoint", endpoint, "id", knownId, "id2", foundId));
            case ENDPOINT_REFUSED -> refused(failure, kubeconfig);
            case UNAUTHORIZED -> unauthorized(kubeconfig, now);
            case LESS_PERMISSIONS -> new FailureCondition(true, newCredentialRejected(failure, null, now));
        };
    }

    private FailureCondition tls(ConnectFailure failure, String endpoint) {
        CertificateFailure tls = failure.tls();
        return connection(
                Reason.TLSVerificationFailed,
                Map.of(
                        "endpoint", endpoint,
                        "cause", tls == null ? failure.message() : tls.cause(),
                        "fingerprint", tls == null ? "of the kubeconfig" : tls.expected(),
                        "fingerprint2", tls == null ? "none" : tls.got(),
                        "secret", subject.secretPath()));
    }

    private FailureCondition refused(ConnectFailure failure, ValidatedKubeconfig kubeconfig) {
        RefusedAddress address = failure.address();
        return new FailureCondition(
                true,
                message(
                        ConditionStatus.NO,
                        Reason.EndpointRefused,
                        Map.of(
                                "secret",
                                subject.secretPath(),
                                "host",
                                kubeconfig.host(),
                                "address",
                                address == null ? "unknown" : address.address(),
                                "class",
                                address == null ? "refused" : address.addressClass())));
    }

    private FailureCondition unauthorized(ValidatedKubeconfig kubeconfig, Instant now) {
        Instant end = kubeconfig.expiresAt();
        ReportedCondition verdict = end != null && !end.isAfter(now)
                ? message(
                        ConditionStatus.NO,
                        Reason.CredentialsExpired,
                        Map.of(
                                "secret", subject.secretPath(),
                                "kind", kind(kubeconfig),
                                "time", time(end)))
                : message(
                        ConditionStatus.NO,
                        Reason.CredentialsRejected,
                        Map.of("endpoint", endpoint(kubeconfig), "secret", subject.secretPath()));
        return new FailureCondition(true, verdict);
    }

    private FailureCondition connection(Reason reason, Map<String, String> values) {
        return new FailureCondition(false, message(ConditionStatus.NO, reason, values));
    }

    /** The new kubeconfig failed; the old one is in use and ends at {@code oldEnds}, if known. */
    ReportedCondition newCredentialRejected(ConnectFailure failure, @Nullable Instant oldEnds, Instant now) {
        String until = oldEnds == null
                ? ""
                : oldEnds.isAfter(now) ? " until " + time(oldEnds) : " although it expired " + time(oldEnds);
        return message(
                ConditionStatus.NO,
                Reason.NewCredentialsUnproven,
                Map.of("secret", subject.secretPath(), "cause", failure.message(), "until", until));
    }

    ReportedCondition notChecked() {
        return message(ConditionStatus.UNKNOWN, Reason.CredentialsNotChecked, Map.of("secret", subject.secretPath()));
    }

    ReportedCondition connecting(ValidatedKubeconfig kubeconfig) {
        return message(ConditionStatus.UNKNOWN, Reason.Connecting, Map.of("endpoint", endpoint(kubeconfig)));
    }

    ReportedCondition connected(ConnectionFacts facts) {
        return message(
                ConditionStatus.YES,
                Reason.ConnectionEstablished,
                Map.of(
                        "endpoint",
                        facts.endpoint(),
                        "version",
                        facts.version().isEmpty() ? "version unknown" : facts.version()));
    }

    ReportedCondition degraded(ConnectionFacts facts, RequestHealth.MinuteStatistics minute) {
        if (minute.codes().equals("429")) {
            return message(
                    ConditionStatus.YES,
                    Reason.WorkerClusterThrottled,
                    Map.of("endpoint", facts.endpoint(), "cause", minute.lastRefusal()));
        }
        return message(
                ConditionStatus.YES,
                Reason.WorkerClusterDegraded,
                Map.of(
                        "endpoint", facts.endpoint(),
                        "n", Integer.toString(minute.refused()),
                        "m", Integer.toString(minute.requests()),
                        "codes", minute.codes()));
    }

    /** The credential in use, with missing permissions or expiration. */
    ReportedCondition credential(ConnectionFacts facts, ValidatedKubeconfig kubeconfig, Instant now) {
        List<Permission> required = RequiredPermissions.indispensable(facts.missing());
        if (!required.isEmpty()) {
            return message(
                    ConditionStatus.NO,
                    Reason.PermissionsMissing,
                    Map.of(
                            "user", facts.user(),
                            "first", required.getFirst().toString(),
                            "more", more(required)));
        }
        Instant end = kubeconfig.expiresAt();
        if (end != null && CredentialExpiry.isNear(end, now)) {
            return message(
                    ConditionStatus.YES,
                    Reason.CredentialsExpiring,
                    Map.of(
                            "secret", subject.secretPath(),
                            "kind", kind(kubeconfig),
                            "time", time(end),
                            "duration", duration(Duration.between(now, end))));
        }
        return message(
                ConditionStatus.YES,
                Reason.CredentialsAccepted,
                Map.of("user", facts.user() + limits(facts.missing())));
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

    ReportedCondition oldVersion(String version) {
        return message(ConditionStatus.NO, Reason.WorkerVersionUnsupported, Map.of("version", version));
    }

    ReportedCondition skewed(Duration ahead) {
        return message(
                ConditionStatus.NO,
                Reason.WorkerClockSkewed,
                Map.of("duration", duration(ahead.abs()), "direction", ahead.isNegative() ? "behind" : "ahead"));
    }

    ReportedCondition peerActive(ConnectionFacts.PeerLease peer) {
        return message(
                ConditionStatus.NO,
                Reason.PeerControllerActive,
                Map.of("lease", "kube-system/" + peer.lease(), "holder", peer.holder()));
    }

    private ReportedCondition message(ConditionStatus truth, Reason reason, Map<String, String> values) {
        Map<String, String> all = new HashMap<>(values);
        all.put("tenant", subject.tenant());
        all.put("wc", subject.workerCluster());
        return new ReportedCondition(truth, reason, reason.with(all).message());
    }

    private static String more(List<Permission> missing) {
        return missing.size() == 1 ? "" : " (and " + (missing.size() - 1) + " more)";
    }

    private static String kind(ValidatedKubeconfig kubeconfig) {
        WorkerCredential credential = kubeconfig.credential();
        return credential.kind();
    }

    static String endpoint(ValidatedKubeconfig kubeconfig) {
        return kubeconfig.server().toString();
    }

    private static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** The two largest units, for example {@code 3 min 20 s}. */
    static String duration(Duration duration) {
        long seconds = Math.max(0, duration.plusMillis(500).toSeconds());
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 3600) {
            return pair(seconds / 60, "min", seconds % 60, "s");
        }
        if (seconds < 86_400) {
            return pair(seconds / 3600, "h", seconds % 3600 / 60, "min");
        }
        return pair(seconds / 86_400, "d", seconds % 86_400 / 3600, "h");
    }

    private static String pair(long large, String largeUnit, long small, String smallUnit) {
        return large + " " + largeUnit + (small == 0 ? "" : " " + small + " " + smallUnit);
    }
}
