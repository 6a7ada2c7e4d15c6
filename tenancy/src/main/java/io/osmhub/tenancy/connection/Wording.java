package io.osmhub.tenancy.connection;

import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.client.TlsRefusal;
import io.osmhub.tenancy.connection.ConnectFailure.RefusedAddress;
import io.osmhub.tenancy.connection.Verdict.Truth;
import io.osmhub.tenancy.kubeconfig.VettedKubeconfig;
import io.osmhub.tenancy.kubeconfig.WorkerCredential;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts into words what a connection has to say. Pure. */
final class Wording {
    private final ConnectionSubject subject;

    Wording(ConnectionSubject subject) {
        this.subject = subject;
    }

    /** A failed attempt, where it belongs: true when it is about the credential. */
    record Told(boolean aboutCredential, Verdict verdict) {}

    Told failed(
            ConnectFailure failure,
            VettedKubeconfig kubeconfig,
            String knownId,
            String foundId,
            Instant since,
            Instant now,
            Duration nextTry) {
        String endpoint = endpoint(kubeconfig);
        return switch (failure.kind()) {
            case NOT_RESOLVED ->
                connection(
                        Reason.EndpointNotResolved,
                        Map.of("host", kubeconfig.host(), "cause", failure.words(), "secret", subject.secretPath()));
            case NO_CONNECTION, ANSWERS_ERRORS ->
                connection(
                        Reason.WorkerClusterUnreachable,
                        Map.of(
                                "endpoint", endpoint,
                                "cause", failure.words(),
                                "time", time(since),
                                "duration", duration(nextTry)));
            case THROTTLED ->
                connection(Reason.WorkerClusterThrottled, Map.of("endpoint", endpoint, "cause", failure.words()));
            case NOT_RESPONDING ->
                connection(
                        Reason.WorkerClusterNotResponding,
                        Map.of(
                                "endpoint", endpoint,
                                "duration", duration(Duration.between(since, now)),
                                "duration2", duration(nextTry)));
            case TLS -> tls(failure, endpoint);
            case OTHER_CLUSTER ->
                connection(Reason.ClusterIdentityChanged, Map.of("endpoint", endpoint, "id", knownId, "id2", foundId));
            case ENDPOINT_REFUSED -> refused(failure, kubeconfig);
            case UNAUTHORIZED -> unauthorized(kubeconfig, now);
            case LESS_PERMISSIONS -> new Told(true, unproven(failure, null, now));
        };
    }

    private Told tls(ConnectFailure failure, String endpoint) {
        TlsRefusal tls = failure.tls();
        return connection(
                Reason.TLSVerificationFailed,
                Map.of(
                        "endpoint", endpoint,
                        "cause", tls == null ? failure.words() : tls.cause(),
                        "fingerprint", tls == null ? "of the kubeconfig" : tls.expected(),
                        "fingerprint2", tls == null ? "none" : tls.got(),
                        "secret", subject.secretPath()));
    }

    private Told refused(ConnectFailure failure, VettedKubeconfig kubeconfig) {
        RefusedAddress address = failure.address();
        return new Told(
                true,
                say(
                        Truth.NO,
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

    private Told unauthorized(VettedKubeconfig kubeconfig, Instant now) {
        Instant end = kubeconfig.expiresAt();
        Verdict verdict = end != null && !end.isAfter(now)
                ? say(
                        Truth.NO,
                        Reason.CredentialsExpired,
                        Map.of(
                                "secret", subject.secretPath(),
                                "kind", kind(kubeconfig),
                                "time", time(end)))
                : say(
                        Truth.NO,
                        Reason.CredentialsRejected,
                        Map.of("endpoint", endpoint(kubeconfig), "secret", subject.secretPath()));
        return new Told(true, verdict);
    }

    private Told connection(Reason reason, Map<String, String> values) {
        return new Told(false, say(Truth.NO, reason, values));
    }

    /** The new kubeconfig failed; the old one, which is in use, ends at {@code oldEnds} if it says so. */
    Verdict unproven(ConnectFailure failure, @Nullable Instant oldEnds, Instant now) {
        String until = oldEnds == null
                ? ""
                : oldEnds.isAfter(now) ? " until " + time(oldEnds) : " although it ended " + time(oldEnds);
        return say(
                Truth.NO,
                Reason.NewCredentialsUnproven,
                Map.of("secret", subject.secretPath(), "cause", failure.words(), "until", until));
    }

    Verdict notChecked() {
        return say(Truth.UNKNOWN, Reason.CredentialsNotChecked, Map.of("secret", subject.secretPath()));
    }

    Verdict connecting(VettedKubeconfig kubeconfig) {
        return say(Truth.UNKNOWN, Reason.Connecting, Map.of("endpoint", endpoint(kubeconfig)));
    }

    Verdict connected(ConnectionFacts facts) {
        return say(
                Truth.YES,
                Reason.ConnectionEstablished,
                Map.of(
                        "endpoint",
                        facts.endpoint(),
                        "version",
                        facts.version().isEmpty() ? "version unknown" : facts.version()));
    }

    Verdict degraded(ConnectionFacts facts, RequestHealth.Minute minute) {
        if (minute.codes().equals("429")) {
            return say(
                    Truth.YES,
                    Reason.WorkerClusterThrottled,
                    Map.of("endpoint", facts.endpoint(), "cause", minute.lastRefusal()));
        }
        return say(
                Truth.YES,
                Reason.WorkerClusterDegraded,
                Map.of(
                        "endpoint", facts.endpoint(),
                        "n", Integer.toString(minute.refused()),
                        "m", Integer.toString(minute.requests()),
                        "codes", minute.codes()));
    }

    /** The credential in use, with what it lacks or when it ends. */
    Verdict credential(ConnectionFacts facts, VettedKubeconfig kubeconfig, Instant now) {
        if (!facts.missing().isEmpty()) {
            return say(
                    Truth.NO,
                    Reason.PermissionsMissing,
                    Map.of(
                            "user", facts.user(),
                            "first", facts.missing().getFirst().toString(),
                            "more", more(facts.missing())));
        }
        Instant end = kubeconfig.expiresAt();
        if (end != null && Expiry.isNear(end, now)) {
            return say(
                    Truth.YES,
                    Reason.CredentialsExpiring,
                    Map.of(
                            "secret", subject.secretPath(),
                            "kind", kind(kubeconfig),
                            "time", time(end),
                            "duration", duration(Duration.between(now, end))));
        }
        return say(Truth.YES, Reason.CredentialsAccepted, Map.of("user", facts.user()));
    }

    Verdict oldVersion(String version) {
        return say(Truth.NO, Reason.WorkerVersionUnsupported, Map.of("version", version));
    }

    Verdict skewed(Duration ahead) {
        return say(
                Truth.NO,
                Reason.WorkerClockSkewed,
                Map.of("duration", duration(ahead.abs()), "direction", ahead.isNegative() ? "behind" : "ahead"));
    }

    Verdict peerActive(ConnectionFacts.PeerLease peer) {
        return say(
                Truth.NO,
                Reason.PeerControllerActive,
                Map.of("lease", "kube-system/" + peer.lease(), "holder", peer.holder()));
    }

    private Verdict say(Truth truth, Reason reason, Map<String, String> values) {
        Map<String, String> all = new HashMap<>(values);
        all.put("tenant", subject.tenant());
        all.put("wc", subject.workerCluster());
        return new Verdict(truth, reason, Message.of(reason, all));
    }

    private static String more(List<Permission> missing) {
        return missing.size() == 1 ? "" : " (and " + (missing.size() - 1) + " more)";
    }

    private static String kind(VettedKubeconfig kubeconfig) {
        WorkerCredential credential = kubeconfig.credential();
        return credential.kind();
    }

    static String endpoint(VettedKubeconfig kubeconfig) {
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
