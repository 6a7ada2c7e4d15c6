package io.osmhub.tenancy.connection;

import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.status.UnitFormatter;
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
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Builds the report of a connection test, in the words of the conditions that a WorkerCluster with the same problems would have. Not
 * thread-safe.
 */
final class TestReportBuilder implements Handshake.StepListener {
    private static final Duration MUCH_SKEW = Duration.ofMinutes(2);
    private static final DateTimeFormatter DAY =
            DateTimeFormatter.ofPattern("yyyy-MM-dd", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final ConnectionMessages messages;
    private final ValidatedKubeconfig kubeconfig;
    private final Instant now;
    private final Map<CheckStep, ConnectionCheck> checks = new EnumMap<>(CheckStep.class);
    private List<PermissionCheck> permissions = List.of();
    private String address = "";
    private ConnectionFacts facts;
    private @Nullable Duration clockAhead;

    TestReportBuilder(ConnectionSubject subject, ValidatedKubeconfig kubeconfig, Instant now) {
        this.messages = new ConnectionMessages(subject);
        this.kubeconfig = kubeconfig;
        this.now = now;
        this.facts = ConnectionFacts.unknown(ConnectionMessages.endpoint(kubeconfig), "");
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
                refused.problem().reason(),
                refused.problem().withFix("").inTenant(tenant, "").message(),
                "store another one",
                null));
        for (CheckStep step : CheckStep.values()) {
            if (step != CheckStep.KUBECONFIG) {
                checks.add(skipped(step));
            }
        }
        return new ConnectionTestReport(checks, List.of(), "", "", "", "", null, null, "");
    }

    @Override
    public void onFailed(ConnectFailure failure, Optional<TlsSession> session, Duration took) {
        Problem problem = messages.failed(failure, kubeconfig, "", "", now, now);
        if (!checks.containsKey(CheckStep.ADDRESS)) {
            add(CheckStep.ADDRESS, CheckOutcome.FAILED, problem, took);
        } else if (checks.containsKey(CheckStep.CONNECTION)) {
            add(CheckStep.CREDENTIAL, CheckOutcome.FAILED, problem, took);
        } else if (failure.kind() == Kind.UNAUTHORIZED) {
            connection(session, took);
            add(CheckStep.CREDENTIAL, CheckOutcome.FAILED, problem, took);
        } else if (failure.kind() == Kind.TLS) {
            ok(CheckStep.CONNECTION, kubeconfig.host() + " responds", took);
            add(CheckStep.CERTIFICATE, CheckOutcome.FAILED, problem, null);
        } else {
            add(CheckStep.CONNECTION, CheckOutcome.FAILED, problem, took);
        }
    }

    @Override
    public void onResolved(InetAddress found, Duration took) {
        address = found.getHostAddress();
        String text = kubeconfig.proxy() != null
                ? "through the proxy at " + address
                : kubeconfig.host().equals(address) ? address : kubeconfig.host() + " is " + address;
        ok(CheckStep.ADDRESS, text, took);
    }

    @Override
    public void onConnected(Optional<TlsSession> session, @Nullable Duration ahead, Duration took) {
        connection(session, took);
        clockAhead = ahead;
        if (ahead == null) {
            add(CheckStep.CLOCK, CheckOutcome.SKIPPED, null, "the server sends no Date header", "", null);
        } else if (ahead.abs().compareTo(MUCH_SKEW) > 0) {
            add(CheckStep.CLOCK, CheckOutcome.WARNING, messages.skewed(ahead), null);
        } else {
            String text = ahead.abs().compareTo(Duration.ofSeconds(60)) < 0
                    ? String.format(Locale.ROOT, "%.1f s", ahead.abs().toMillis() / 1000.0)
                    : UnitFormatter.formatDuration(ahead.abs());
            ok(CheckStep.CLOCK, text + (ahead.isNegative() ? " behind" : " ahead"), null);
        }
    }

    private void connection(Optional<TlsSession> session, Duration took) {
        ok(
                CheckStep.CONNECTION,
                session.map(TlsSession::protocol).orElse("connected") + ", " + took.toMillis() + " ms",
                took);
        String end = session.map(TlsSession::certificateEnds)
                .map(ends -> ", expires " + DAY.format(ends))
                .orElse("");
        if (kubeconfig.insecureSkipTlsVerify()) {
            add(
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
            add(
                    CheckStep.HTTP2,
                    CheckOutcome.WARNING,
                    null,
                    "not supported: each watch needs its own connection",
                    "let proxies and load balancers in front of the API server pass TLS through",
                    null);
        }
    }

    @Override
    public void onVerified(ConnectionFacts found, Duration took) {
        facts = found;
        if (found.version().isEmpty()) {
            add(CheckStep.VERSION, CheckOutcome.WARNING, null, "may not be read", "allow get on /version", null);
        } else if (ConnectionWarnings.isOld(found.version())) {
            add(CheckStep.VERSION, CheckOutcome.WARNING, messages.oldVersion(found.version()), null);
        } else {
            ok(CheckStep.VERSION, found.version(), null);
        }
        Instant end = kubeconfig.expiresAt();
        if (end != null && ConnectionMessages.expiresSoon(end, now) && !isShortLived()) {
            add(CheckStep.CREDENTIAL, CheckOutcome.WARNING, messages.expiring(kubeconfig, end, now), took);
        } else {
            ok(CheckStep.CREDENTIAL, found.user() + (end == null ? "" : ", expires " + DAY.format(end)), took);
        }
        permissions(found, took);
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

    private void permissions(ConnectionFacts found, Duration took) {
        Set<Permission> missing = Set.copyOf(found.missing());
        List<Permission> needed = RequiredPermissions.list();
        permissions = needed.stream()
                .map(permission -> new PermissionCheck(permission, !missing.contains(permission)))
                .toList();
        String text = needed.size() - missing.size() + " of " + needed.size();
        Problem problem = messages.missingPermissions(found);
        if (problem == null) {
            ok(CheckStep.PERMISSIONS, text + ConnectionMessages.limits(found.missing()), took);
        } else {
            add(
                    CheckStep.PERMISSIONS,
                    CheckOutcome.FAILED,
                    problem.reason(),
                    text + "; " + problem.cause(),
                    cure(problem),
                    took);
        }
    }

    void prerequisites(Prerequisites found, Duration took) {
        List<Problem> problems = new ArrayList<>();
        ConnectionFacts.PeerLease peer = facts.peer();
        if (peer != null) {
            problems.add(messages.peerActive(peer).withObject(ProblemObject.NONE));
        }
        if (found.noMachineDeployments()) {
            problems.add(messages.problem(Reason.MachineDeploymentAPIMissing, Map.of())
                    .withObject(ProblemObject.NONE));
        }
        problems.addAll(found.apiServer());
        if (found.noGetterToken()) { // last, as its fix ends with a command
            problems.add(messages.problem(
                    Reason.GetterTokenMissing, Map.of("what", "missing, nodes fetch their configuration with it")));
        }
        if (problems.isEmpty()) {
            ok(
                    CheckStep.PREREQUISITES,
                    "cloud-init-settings, cloud-init-getter-token, MachineDeployments, API server for nodes",
                    took);
        } else {
            add(
                    CheckStep.PREREQUISITES,
                    CheckOutcome.WARNING,
                    problems.getFirst().reason(),
                    problems.stream()
                            .map(problem -> problem.withFix("").toString())
                            .collect(Collectors.joining("; ")),
                    problems.stream().map(TestReportBuilder::cure).collect(Collectors.joining("; ")),
                    took);
        }
    }

    /** The fix of a problem. The kubeconfig may not be stored yet, and what is stored is repaired by another command. */
    private static String cure(Problem problem) {
        return switch (problem.reason()) {
            case EndpointNotResolved -> "check the name and the DNS that the hub asks";
            case TLSVerificationFailed -> "correct certificate-authority-data in the kubeconfig";
            case CredentialsRejected, CredentialsExpired -> "use a kubeconfig that works with kubectl";
            case CredentialsExpiring -> "use a longer-lived one, or let the hub renew it: --scoped";
            case APIServerEndpointMissing -> problem.fix() + ", unless the hub's configuration does";
            case PermissionsMissing, GetterTokenMissing ->
                problem.fix() + ": " + problem.command().text();
            default -> problem.fix();
        };
    }

    private void ok(CheckStep step, String message, @Nullable Duration took) {
        add(step, CheckOutcome.OK, null, message, "", took);
    }

    private void add(CheckStep step, CheckOutcome outcome, Problem problem, @Nullable Duration took) {
        add(step, outcome, problem.reason(), problem.cause(), cure(problem), took);
    }

    private void add(
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

    ConnectionTestReport build() {
        return new ConnectionTestReport(
                Arrays.stream(CheckStep.values())
                        .map(step -> checks.getOrDefault(step, skipped(step)))
                        .toList(),
                permissions,
                facts.endpoint(),
                address,
                facts.version(),
                facts.user(),
                kubeconfig.expiresAt(),
                clockAhead,
                facts.clusterId());
    }
}
