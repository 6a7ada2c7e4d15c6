package io.osmhub.tenancy.connection;

import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.client.TlsRefusal;
import io.osmhub.tenancy.client.TlsSession;
import io.osmhub.tenancy.connection.ConnectFailure.Kind;
import io.osmhub.tenancy.connection.TestReport.Check;
import io.osmhub.tenancy.connection.TestReport.Grant;
import io.osmhub.tenancy.connection.TestReport.Outcome;
import io.osmhub.tenancy.connection.TestReport.Step;
import io.osmhub.tenancy.kubeconfig.VettedKubeconfig;
import io.osmhub.tenancy.kubeconfig.Vetting;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Takes down what a test finds, in words for people. One thread. */
final class TestNotes {
    private static final Duration MUCH_SKEW = Duration.ofMinutes(2);
    private static final DateTimeFormatter DAY =
            DateTimeFormatter.ofPattern("yyyy-MM-dd", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final ConnectionSubject subject;
    private final VettedKubeconfig kubeconfig;
    private final Instant now;
    private final Map<Step, Check> checks = new EnumMap<>(Step.class);
    private List<Grant> permissions = List.of();
    private String address = "";
    private String version = "";
    private String user = "";
    private String clusterId = "";
    private @Nullable Duration clockAhead;

    TestNotes(ConnectionSubject subject, VettedKubeconfig kubeconfig, Instant now) {
        this.subject = subject;
        this.kubeconfig = kubeconfig;
        this.now = now;
        ok(Step.KUBECONFIG, "one usable context, a " + kubeconfig.credential().kind(), null);
    }

    /** Of a kubeconfig that may not even be tried. */
    static TestReport refused(String tenant, Vetting.Refused refused) {
        List<Check> checks = new ArrayList<>();
        checks.add(new Check(
                Step.KUBECONFIG, Outcome.FAILED, refused.reason(), refused.message(tenant), "store another one", null));
        for (Step step : Step.values()) {
            if (step != Step.KUBECONFIG) {
                checks.add(skipped(step));
            }
        }
        return new TestReport(checks, List.of(), "", "", "", "", null, null, "");
    }

    void noAddress(ConnectFailure failure, Duration took) {
        if (failure.kind() == Kind.ENDPOINT_REFUSED) {
            failed(
                    Step.ADDRESS,
                    Reason.EndpointRefused,
                    failure.words(),
                    "use a reachable one, or allow it in kubeconfigPolicy",
                    took);
        } else if (failure.kind() == Kind.NO_CONNECTION) {
            failed(Step.ADDRESS, Reason.WorkerClusterUnreachable, failure.words(), "wait a minute", took);
        } else {
            failed(
                    Step.ADDRESS,
                    Reason.EndpointNotResolved,
                    kubeconfig.host() + " has no address",
                    "check the name and the DNS that the hub asks",
                    took);
        }
    }

    void address(InetAddress found, Duration took) {
        address = found.getHostAddress();
        String text =
                kubeconfig.proxy() == null ? kubeconfig.host() + " is " + address : "through the proxy at " + address;
        ok(Step.ADDRESS, text, took);
    }

    void connected(Optional<TlsSession> session, @Nullable Duration ahead, Duration took) {
        connection(session, took);
        clockAhead = ahead;
        if (ahead == null) {
            note(Step.CLOCK, Outcome.SKIPPED, null, "the server does not tell its time", "", null);
        } else {
            clock(ahead);
        }
    }

    private void connection(Optional<TlsSession> session, Duration took) {
        long milliseconds = took.toMillis();
        ok(Step.CONNECTION, session.map(TlsSession::protocol).orElse("connected") + ", " + milliseconds + " ms", took);
        String end = session.map(TlsSession::certificateEnds)
                .map(ends -> ", ends " + DAY.format(ends))
                .orElse("");
        if (kubeconfig.insecureSkipTlsVerify()) {
            note(
                    Step.CERTIFICATE,
                    Outcome.WARNING,
                    null,
                    "not verified, as the kubeconfig asks for and kubeconfigPolicy allows" + end,
                    "put certificate-authority-data into the kubeconfig",
                    null);
        } else {
            ok(Step.CERTIFICATE, "signed by the CA given" + end, null);
        }
        if (session.map(TlsSession::http2).orElse(false)) {
            ok(Step.HTTP2, "one connection is enough", null);
        } else {
            note(
                    Step.HTTP2,
                    Outcome.WARNING,
                    null,
                    "not offered: each watch takes a connection of its own",
                    "let proxies and load balancers in front of the API server pass TLS through",
                    null);
        }
    }

    private void clock(Duration ahead) {
        String text = ahead.abs().compareTo(Duration.ofSeconds(60)) < 0
                ? String.format(Locale.ROOT, "%.1f s", ahead.abs().toMillis() / 1000.0)
                : Wording.duration(ahead.abs());
        text += ahead.isNegative() ? " behind" : " ahead";
        if (ahead.abs().compareTo(MUCH_SKEW) > 0) {
            note(
                    Step.CLOCK,
                    Outcome.WARNING,
                    Reason.WorkerClockSkewed,
                    text + "; tokens may end early or late",
                    "fix time synchronisation",
                    null);
        } else {
            ok(Step.CLOCK, text, null);
        }
    }

    /** The first request failed. What came before the failure is well. */
    void notConnected(ConnectFailure failure, Optional<TlsSession> session, Duration took) {
        switch (failure.kind()) {
            case TLS -> {
                ok(Step.CONNECTION, kubeconfig.host() + " answers", took);
                TlsRefusal tls = failure.tls();
                failed(
                        Step.CERTIFICATE,
                        Reason.TLSVerificationFailed,
                        tls == null
                                ? failure.words()
                                : tls.cause() + "; expected CA " + tls.expected() + ", got " + tls.got(),
                        "put the right certificate-authority-data into the kubeconfig",
                        null);
            }
            case UNAUTHORIZED, LESS_PERMISSIONS, OTHER_CLUSTER -> {
                connection(session, took);
                notSignedIn(failure, took);
            }
            case NOT_RESPONDING ->
                failed(
                        Step.CONNECTION,
                        Reason.WorkerClusterNotResponding,
                        Wording.endpoint(kubeconfig) + " does not answer",
                        "check firewalls and the API server's load",
                        took);
            case THROTTLED ->
                failed(
                        Step.CONNECTION,
                        Reason.WorkerClusterThrottled,
                        Wording.endpoint(kubeconfig) + " refuses requests as too many (" + failure.words() + ")",
                        "try again, and raise the API server's limits for the hub's user",
                        took);
            case NOT_RESOLVED, ENDPOINT_REFUSED, NO_CONNECTION, ANSWERS_ERRORS ->
                failed(
                        Step.CONNECTION,
                        Reason.WorkerClusterUnreachable,
                        "no connection to " + Wording.endpoint(kubeconfig) + " (" + failure.words() + ")",
                        "check that the API server runs and the network path is open",
                        took);
        }
    }

    void notSignedIn(ConnectFailure failure, Duration took) {
        Instant end = kubeconfig.expiresAt();
        if (failure.kind() != Kind.UNAUTHORIZED) {
            failed(
                    Step.CREDENTIAL,
                    Reason.WorkerClusterUnreachable,
                    "could not be checked (" + failure.words() + ")",
                    "try again, and check the API server's load",
                    took);
        } else if (end != null && !end.isAfter(now)) {
            failed(
                    Step.CREDENTIAL,
                    Reason.CredentialsExpired,
                    "the " + kubeconfig.credential().kind() + " ended " + DAY.format(end),
                    "give a kubeconfig with a new one",
                    took);
        } else {
            failed(
                    Step.CREDENTIAL,
                    Reason.CredentialsRejected,
                    "the API server refuses the " + kubeconfig.credential().kind() + " (401)",
                    "give a kubeconfig that works with kubectl",
                    took);
        }
    }

    void facts(ConnectionFacts facts, Duration took) {
        user = facts.user();
        clusterId = facts.clusterId();
        version = facts.version();
        version();
        credential(took);
        permissions(facts.missing(), took);
        ConnectionFacts.PeerLease peer = facts.peer();
        if (peer != null) {
            note(
                    Step.PREREQUISITES,
                    Outcome.WARNING,
                    Reason.PeerControllerActive,
                    "operating-system-manager is still running (Lease kube-system/" + peer.lease()
                            + "); the hub writes nothing beside it",
                    "scale it to 0 and wait a minute",
                    null);
        }
    }

    private void version() {
        if (version.isEmpty()) {
            note(Step.VERSION, Outcome.WARNING, null, "may not be read", "allow get on /version", null);
        } else if (Concerns.isOld(version)) {
            note(
                    Step.VERSION,
                    Outcome.WARNING,
                    Reason.WorkerVersionUnsupported,
                    version + " is older than v1.28, the oldest that the hub is tested with",
                    "upgrade the cluster",
                    null);
        } else {
            ok(Step.VERSION, version, null);
        }
    }

    private void credential(Duration took) {
        Instant end = kubeconfig.expiresAt();
        String text = user + (end == null ? "" : ", ends " + DAY.format(end));
        if (end != null && Expiry.isNear(end, now) && !isShortLived()) {
            note(
                    Step.CREDENTIAL,
                    Outcome.WARNING,
                    Reason.CredentialsExpiring,
                    text + ", in " + Wording.duration(Duration.between(now, end)),
                    "give one that lasts, or let the hub renew it: --scoped",
                    took);
        } else {
            ok(Step.CREDENTIAL, text, took);
        }
    }

    /** A token of days is not near its end when it is new. */
    private boolean isShortLived() {
        Instant from = kubeconfig.validFrom();
        Instant end = kubeconfig.expiresAt();
        return from != null
                && end != null
                && Duration.between(now, end)
                                .compareTo(Duration.between(from, end).dividedBy(2))
                        > 0;
    }

    private void permissions(List<Permission> missing, Duration took) {
        Set<Permission> lacking = Set.copyOf(missing);
        List<Permission> needed = RequiredPermissions.list();
        permissions = needed.stream()
                .map(permission -> new Grant(permission, !lacking.contains(permission)))
                .toList();
        String text = needed.size() - lacking.size() + " of " + needed.size();
        if (lacking.isEmpty()) {
            ok(Step.PERMISSIONS, text, took);
        } else {
            String more = missing.size() > 1 ? " (and " + (missing.size() - 1) + " more)" : "";
            failed(
                    Step.PERMISSIONS,
                    Reason.PermissionsMissing,
                    text + "; missing: " + missing.getFirst() + more,
                    "apply the worker role: hub cluster rbac " + subject.workerCluster() + " -n " + subject.tenant()
                            + " | kubectl apply -f -",
                    took);
        }
    }

    void prerequisites(boolean noMachineDeployments, boolean noGetter, Duration took) {
        String prepare = "hub cluster prepare " + subject.workerCluster() + " -n " + subject.tenant();
        if (noGetter) {
            note(
                    Step.PREREQUISITES,
                    Outcome.WARNING,
                    Reason.GetterTokenMissing,
                    "no Secret cloud-init-settings/cloud-init-getter-token, with which nodes fetch their configuration",
                    "create it: " + prepare,
                    took);
        } else if (noMachineDeployments) {
            note(
                    Step.PREREQUISITES,
                    Outcome.WARNING,
                    Reason.MachineDeploymentAPIMissing,
                    "no MachineDeployments (cluster.k8s.io/v1alpha1)",
                    "install machine-controller",
                    took);
        } else if (!checks.containsKey(Step.PREREQUISITES)) {
            ok(Step.PREREQUISITES, "cloud-init-settings, cloud-init-getter-token, MachineDeployments", took);
        }
    }

    private void ok(Step step, String message, @Nullable Duration took) {
        note(step, Outcome.OK, null, message, "", took);
    }

    private void failed(Step step, Reason reason, String message, String cure, @Nullable Duration took) {
        note(step, Outcome.FAILED, reason, message, cure, took);
    }

    private void note(
            Step step, Outcome outcome, @Nullable Reason reason, String message, String cure, @Nullable Duration took) {
        checks.put(step, new Check(step, outcome, reason, Message.clean(message), cure, took));
    }

    private static Check skipped(Step step) {
        return new Check(step, Outcome.SKIPPED, null, "", "", null);
    }

    TestReport report() {
        List<Check> all = new ArrayList<>();
        for (Step step : Step.values()) {
            all.add(checks.getOrDefault(step, skipped(step)));
        }
        return new TestReport(
                all,
                permissions,
                Wording.endpoint(kubeconfig),
                address,
                version,
                user,
                kubeconfig.expiresAt(),
                clockAhead,
                clusterId);
    }
}
