package io.osmhub.tenancy.connection;

import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.client.CertificateFailure;
import io.osmhub.tenancy.client.TlsSession;
import io.osmhub.tenancy.connection.ConnectFailure.Kind;
import io.osmhub.tenancy.connection.ConnectionTestReport.CheckOutcome;
import io.osmhub.tenancy.connection.ConnectionTestReport.CheckStep;
import io.osmhub.tenancy.connection.ConnectionTestReport.ConnectionCheck;
import io.osmhub.tenancy.connection.ConnectionTestReport.PermissionCheck;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator.KubeconfigValidation;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
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

/** Builds the report of a connection test. Not thread-safe. */
final class TestReportBuilder {
    private static final Duration MUCH_SKEW = Duration.ofMinutes(2);
    private static final DateTimeFormatter DAY =
            DateTimeFormatter.ofPattern("yyyy-MM-dd", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final ConnectionSubject subject;
    private final ValidatedKubeconfig kubeconfig;
    private final Instant now;
    private final Map<CheckStep, ConnectionCheck> checks = new EnumMap<>(CheckStep.class);
    private List<PermissionCheck> permissions = List.of();
    private String address = "";
    private String version = "";
    private String user = "";
    private String clusterId = "";
    private @Nullable Duration clockAhead;

    TestReportBuilder(ConnectionSubject subject, ValidatedKubeconfig kubeconfig, Instant now) {
        this.subject = subject;
        this.kubeconfig = kubeconfig;
        this.now = now;
        ok(
                CheckStep.KUBECONFIG,
                "one usable context, a " + kubeconfig.credential().kind(),
                null);
    }

    /** Report for a kubeconfig that failed validation. */
    static ConnectionTestReport refused(String tenant, KubeconfigValidation.Invalid refused) {
        List<ConnectionCheck> checks = new ArrayList<>();
        checks.add(new ConnectionCheck(
                CheckStep.KUBECONFIG,
                CheckOutcome.FAILED,
                refused.reason(),
                refused.message(tenant),
                "store another one",
                null));
        for (CheckStep step : CheckStep.values()) {
            if (step != CheckStep.KUBECONFIG) {
                checks.add(skipped(step));
            }
        }
        return new ConnectionTestReport(checks, List.of(), "", "", "", "", null, null, "");
    }

    void noAddress(ConnectFailure failure, Duration took) {
        if (failure.kind() == Kind.ENDPOINT_REFUSED) {
            failed(
                    CheckStep.ADDRESS,
                    Reason.EndpointRefused,
                    failure.message(),
                    "use a reachable one, or allow it in kubeconfigPolicy",
                    took);
        } else if (failure.kind() == Kind.NO_CONNECTION) {
            failed(CheckStep.ADDRESS, Reason.WorkerClusterUnreachable, failure.message(), "wait a minute", took);
        } else {
            failed(
                    CheckStep.ADDRESS,
                    Reason.EndpointNotResolved,
                    kubeconfig.host() + " has no address",
                    "check the name and the DNS that the hub asks",
                    took);
        }
    }

    void address(InetAddress found, Duration took) {
        address = found.getHostAddress();
        String text = kubeconfig.proxy() != null
                ? "through the proxy at " + address
                : kubeconfig.host().equals(address) ? address : kubeconfig.host() + " is " + address;
        ok(CheckStep.ADDRESS, text, took);
    }

    void connected(Optional<TlsSession> session, @Nullable Duration ahead, Duration took) {
        connection(session, took);
        clockAhead = ahead;
        if (ahead == null) {
            note(CheckStep.CLOCK, CheckOutcome.SKIPPED, null, "the server sends no Date header", "", null);
        } else {
            clock(ahead);
        }
    }

    private void connection(Optional<TlsSession> session, Duration took) {
        long milliseconds = took.toMillis();
        ok(
                CheckStep.CONNECTION,
                session.map(TlsSession::protocol).orElse("connected") + ", " + milliseconds + " ms",
                took);
        String end = session.map(TlsSession::certificateEnds)
                .map(ends -> ", expires " + DAY.format(ends))
                .orElse("");
        if (kubeconfig.insecureSkipTlsVerify()) {
            note(
                    CheckStep.CERTIFICATE,
                    CheckOutcome.WARNING,
                    null,
                    "not verified, as the kubeconfig asks for and kubeconfigPolicy allows" + end,
                    "put certificate-authority-data into the kubeconfig",
                    null);
        } else {
            ok(CheckStep.CERTIFICATE, "signed by the CA given" + end, null);
        }
        if (session.map(TlsSession::http2).orElse(false)) {
            ok(CheckStep.HTTP2, "all requests share one connection", null);
        } else {
            note(
                    CheckStep.HTTP2,
                    CheckOutcome.WARNING,
                    null,
                    "not supported: each watch needs its own connection",
                    "let proxies and load balancers in front of the API server pass TLS through",
                    null);
        }
    }

    private void clock(Duration ahead) {
        String text = ahead.abs().compareTo(Duration.ofSeconds(60)) < 0
                ? String.format(Locale.ROOT, "%.1f s", ahead.abs().toMillis() / 1000.0)
                : ConnectionMessages.duration(ahead.abs());
        text += ahead.isNegative() ? " behind" : " ahead";
        if (ahead.abs().compareTo(MUCH_SKEW) > 0) {
            note(
                    CheckStep.CLOCK,
                    CheckOutcome.WARNING,
                    Reason.WorkerClockSkewed,
                    text + "; tokens may expire early or late",
                    "fix time synchronization",
                    null);
        } else {
            ok(CheckStep.CLOCK, text, null);
        }
    }

    /** The first request failed; earlier steps succeeded. */
    void notConnected(ConnectFailure failure, Optional<TlsSession> session, Duration took) {
        switch (failure.kind()) {
            case TLS -> {
                ok(CheckStep.CONNECTION, kubeconfig.host() + " responds", took);
                CertificateFailure tls = failure.tls();
                failed(
                        CheckStep.CERTIFICATE,
                        Reason.TLSVerificationFailed,
                        tls == null
                                ? failure.message()
                                : tls.cause() + "; expected CA " + tls.expected() + ", got " + tls.got(),
                        "correct certificate-authority-data in the kubeconfig",
                        null);
            }
            case UNAUTHORIZED, LESS_PERMISSIONS, OTHER_CLUSTER -> {
                connection(session, took);
                notAuthenticated(failure, took);
            }
            case NOT_RESPONDING ->
                failed(
                        CheckStep.CONNECTION,
                        Reason.WorkerClusterNotResponding,
                        ConnectionMessages.endpoint(kubeconfig) + " does not respond",
                        "check firewalls and the API server's load",
                        took);
            case THROTTLED ->
                failed(
                        CheckStep.CONNECTION,
                        Reason.WorkerClusterThrottled,
                        ConnectionMessages.endpoint(kubeconfig) + " rejects requests with 429 (" + failure.message()
                                + ")",
                        "try again, and raise the API server's limits for the hub's user",
                        took);
            case NOT_RESOLVED, ENDPOINT_REFUSED, NO_CONNECTION, ANSWERS_ERRORS ->
                failed(
                        CheckStep.CONNECTION,
                        Reason.WorkerClusterUnreachable,
                        "no connection to " + ConnectionMessages.endpoint(kubeconfig) + " (" + failure.message() + ")",
                        "check that the API server runs and the network path is open",
                        took);
        }
    }

    void notAuthenticated(ConnectFailure failure, Duration took) {
        Instant end = kubeconfig.expiresAt();
        if (failure.kind() != Kind.UNAUTHORIZED) {
            failed(
                    CheckStep.CREDENTIAL,
                    Reason.WorkerClusterUnreachable,
                    "could not be checked (" + failure.message() + ")",
                    "try again, and check the API server's load",
                    took);
        } else if (end != null && !end.isAfter(now)) {
            failed(
                    CheckStep.CREDENTIAL,
                    Reason.CredentialsExpired,
                    "the " + kubeconfig.credential().kind() + " expired " + DAY.format(end),
                    "use a kubeconfig with a new one",
                    took);
        } else {
            failed(
                    CheckStep.CREDENTIAL,
                    Reason.CredentialsRejected,
                    "the API server rejects the " + kubeconfig.credential().kind() + " (401)",
                    "use a kubeconfig that works with kubectl",
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
            lacking(
                    Reason.PeerControllerActive,
                    "operating-system-manager is still running (Lease kube-system/" + peer.lease()
                            + "); the hub writes nothing while it runs",
                    "scale it to 0, the hub takes over at most 25 s later",
                    null);
        }
    }

    private void version() {
        if (version.isEmpty()) {
            note(CheckStep.VERSION, CheckOutcome.WARNING, null, "may not be read", "allow get on /version", null);
        } else if (ConnectionWarnings.isOld(version)) {
            note(
                    CheckStep.VERSION,
                    CheckOutcome.WARNING,
                    Reason.WorkerVersionUnsupported,
                    version + " is older than v1.28, the oldest tested version",
                    "upgrade the cluster",
                    null);
        } else {
            ok(CheckStep.VERSION, version, null);
        }
    }

    private void credential(Duration took) {
        Instant end = kubeconfig.expiresAt();
        String text = user + (end == null ? "" : ", expires " + DAY.format(end));
        if (end != null && CredentialExpiry.isNear(end, now) && !isShortLived()) {
            note(
                    CheckStep.CREDENTIAL,
                    CheckOutcome.WARNING,
                    Reason.CredentialsExpiring,
                    text + ", in " + ConnectionMessages.duration(Duration.between(now, end)),
                    "use a longer-lived one, or let the hub renew it: --scoped",
                    took);
        } else {
            ok(CheckStep.CREDENTIAL, text, took);
        }
    }

    /** A token that lasts days is not near its end when new. */
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
                .map(permission -> new PermissionCheck(permission, !lacking.contains(permission)))
                .toList();
        String text = needed.size() - lacking.size() + " of " + needed.size();
        List<Permission> required = RequiredPermissions.indispensable(missing);
        if (required.isEmpty()) {
            ok(CheckStep.PERMISSIONS, text + ConnectionMessages.limits(missing), took);
        } else {
            String more = required.size() > 1 ? " (and " + (required.size() - 1) + " more)" : "";
            failed(
                    CheckStep.PERMISSIONS,
                    Reason.PermissionsMissing,
                    text + "; missing: " + required.getFirst() + more,
                    "apply the worker role: hub cluster rbac " + subject.workerCluster() + " -n " + subject.tenant()
                            + " | kubectl apply -f -",
                    took);
        }
    }

    /** @param apiServer why nodes would not know the API server; empty if they would */
    void prerequisites(boolean noMachineDeployments, boolean noGetter, List<ProblemFinding> apiServer, Duration took) {
        String prepare = "hub cluster prepare " + subject.workerCluster() + " -n " + subject.tenant();
        if (noMachineDeployments) {
            lacking(
                    Reason.MachineDeploymentAPIMissing,
                    "no MachineDeployments (cluster.k8s.io/v1alpha1)",
                    "install machine-controller",
                    took);
        }
        for (ProblemFinding finding : apiServer) {
            boolean setting = finding.reason().equals(Reason.APIServerEndpointMissing.name());
            lacking(
                    Reason.valueOf(finding.reason()),
                    finding.withFix("").toString(),
                    finding.cure() + (setting ? ", unless the hub's configuration does" : ""),
                    took);
        }
        if (noGetter) { // last, as its fix ends with a command
            lacking(
                    Reason.GetterTokenMissing,
                    "no Secret cloud-init-settings/cloud-init-getter-token, required by nodes to fetch their configuration",
                    "create it: " + prepare,
                    took);
        }
        if (!checks.containsKey(CheckStep.PREREQUISITES)) {
            ok(
                    CheckStep.PREREQUISITES,
                    "cloud-init-settings, cloud-init-getter-token, MachineDeployments, API server for nodes",
                    took);
        }
    }

    /** Adds to what earlier calls found. */
    private void lacking(Reason reason, String message, String cure, @Nullable Duration took) {
        ConnectionCheck before = checks.get(CheckStep.PREREQUISITES);
        checks.put(
                CheckStep.PREREQUISITES,
                new ConnectionCheck(
                        CheckStep.PREREQUISITES,
                        CheckOutcome.WARNING,
                        before == null ? reason : before.reason(),
                        (before == null ? "" : before.message() + "; ") + MessageFormatter.sanitize(message),
                        (before == null ? "" : before.cure() + "; ") + cure,
                        took));
    }

    private void ok(CheckStep step, String message, @Nullable Duration took) {
        note(step, CheckOutcome.OK, null, message, "", took);
    }

    private void failed(CheckStep step, Reason reason, String message, String cure, @Nullable Duration took) {
        note(step, CheckOutcome.FAILED, reason, message, cure, took);
    }

    private void note(
            CheckStep step,
            CheckOutcome outcome,
            @Nullable Reason reason,
            String message,
            String cure,
            @Nullable Duration took) {
        checks.put(step, new ConnectionCheck(step, outcome, reason, MessageFormatter.sanitize(message), cure, took));
    }

    private static ConnectionCheck skipped(CheckStep step) {
        return new ConnectionCheck(step, CheckOutcome.SKIPPED, null, "", "", null);
    }

    ConnectionTestReport report() {
        List<ConnectionCheck> all = new ArrayList<>();
        for (CheckStep step : CheckStep.values()) {
            all.add(checks.getOrDefault(step, skipped(step)));
        }
        return new ConnectionTestReport(
                all,
                permissions,
                ConnectionMessages.endpoint(kubeconfig),
                address,
                version,
                user,
                kubeconfig.expiresAt(),
                clockAhead,
                clusterId);
    }
}
