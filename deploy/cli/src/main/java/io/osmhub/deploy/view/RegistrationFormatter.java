package io.osmhub.deploy.view;

import io.osmhub.api.schema.RegistrationResult;
import io.osmhub.api.schema.TestReport;
import io.osmhub.api.schema.TestReport.Check;
import io.osmhub.api.schema.TestReport.Check.CheckName;
import io.osmhub.api.schema.TestReport.Check.Outcome;
import io.osmhub.api.schema.TestReport.Permission;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.tenancy.credential.WorkerRole;
import io.osmhub.tenancy.credential.WorkerServiceAccount;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.tenancy.registration.TenantBinding;
import io.osmhub.tenancy.registry.TenantAccess;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Formats the steps of a registration, and reports of connection tests. */
public final class RegistrationFormatter {
    private static final String BELOW = " ".repeat(25);

    private RegistrationFormatter() {}

    private static String step(String word, String text) {
        return "  " + word + " ".repeat(Math.max(1, 10 - word.length())) + text;
    }

    /** @param file source of the kubeconfig */
    public static String formatKubeconfig(String file, ValidatedKubeconfig kubeconfig) {
        return step(
                "read",
                file + ": context " + kubeconfig.contextName() + ", " + kubeconfig.server() + ", "
                        + kubeconfig.credential().kind());
    }

    /** What was tested, created and stored. */
    public static List<String> formatResult(RegistrationResult result, Instant now) {
        List<String> lines = new ArrayList<>();
        TestReport report = result.test();
        if (report.address() != null && passed(report, CheckName.CONNECTION)) {
            lines.add(step("reached", reached(report)));
        }
        if (report.permissions() != null) {
            lines.add(step("allowed", summarizePermissions(report) + " permissions"));
        }
        for (Check check : report.checks()) {
            if (check.state() == Outcome.WARNING) {
                lines.add(step("warning", name(check.name()) + ": " + text(check, report)));
                below(check, report).forEach(line -> lines.add(step("", line)));
            }
        }
        WorkerClusterSpec spec = result.workerCluster().spec();
        boolean scoped = isScoped(spec);
        if (scoped) {
            WorkerServiceAccount account = WorkerServiceAccount.of(spec.credentials());
            lines.add(step(
                    "created",
                    "ServiceAccount " + account.path() + " with "
                            + WorkerRole.scoped(account).roles() + " Roles in the worker cluster"));
        }
        if (Boolean.TRUE.equals(result.stored()) && spec.kubeconfigSecretRef() != null) {
            String secret = result.workerCluster().metadata().namespace() + "/"
                    + spec.kubeconfigSecretRef().name();
            lines.add(step("stored", "Secret " + secret + ": " + stored(scoped, report, now)));
        }
        return lines;
    }

    /** A RoleBinding that was created. */
    public static String formatBinding(TenantBinding binding) {
        return step(
                "bound",
                "RoleBinding " + binding.namespace() + "/" + TenantAccess.ROLE + " for the hub in "
                        + binding.hubNamespace());
    }

    static boolean isScoped(WorkerClusterSpec spec) {
        return spec.credentials() != null
                && spec.credentials().mode() == WorkerClusterSpec.Credentials.CredentialsMode.SCOPED;
    }

    private static String stored(boolean scoped, TestReport report, Instant now) {
        Instant end = report.expiresAt();
        String valid = end == null ? "" : ", valid " + span(Duration.between(now, end));
        return scoped ? "its token" + valid + ", renewed by the hub" : "the given kubeconfig" + valid;
    }

    private static String span(Duration left) {
        long hours = Math.round(left.toMinutes() / 60.0);
        return hours >= 48 ? Math.round(hours / 24.0) + " days" : Math.max(0, hours) + " hours";
    }

    private static String reached(TestReport report) {
        URI endpoint = URI.create(report.endpoint() == null ? "https://unknown" : report.endpoint());
        int port = endpoint.getPort() < 0 ? 443 : endpoint.getPort();
        String address = String.valueOf(report.address());
        String host = address.contains(":") ? "[" + address + "]" : address;
        boolean verified = passed(report, CheckName.CERTIFICATE);
        String took = check(report, CheckName.CONNECTION)
                .map(Check::durationMilliseconds)
                .map(milliseconds -> ", " + milliseconds + " ms")
                .orElse("");
        return host + ":" + port + ", TLS " + (verified ? "verified" : "not verified")
                + (report.kubernetesVersion() == null ? "" : ", " + report.kubernetesVersion()) + took;
    }

    private static boolean passed(TestReport report, CheckName name) {
        return check(report, name).filter(check -> check.state() == Outcome.OK).isPresent();
    }

    private static Optional<Check> check(TestReport report, CheckName name) {
        return report.checks().stream().filter(check -> check.name() == name).findFirst();
    }

    /** The state of the worker cluster after the registration. */
    public static String formatState(WorkerClusterEntry cluster, Duration after) {
        WorkerClusterStatus status = cluster.status();
        WorkerClusterStatus.MachineDeploymentCounts counts = status.machineDeployments();
        int all = counts == null || counts.total() == null ? 0 : counts.total();
        int problems = status.problemCount() == null ? 0 : status.problemCount();
        String took = String.format(Locale.ROOT, "%.1f s", after.toMillis() / 1000.0);
        return switch (cluster.state()) {
            case SYNCED ->
                step(
                        "synced",
                        ValueFormatter.countOf(all, "MachineDeployment") + ", "
                                + ValueFormatter.countOf(problems, "problem") + ", " + took);
            case PAUSED -> step("paused", "the hub writes nothing until you run hub cluster resume");
            case CONNECTING, DEGRADED, UNREACHABLE, UNAUTHORIZED, CLOSED ->
                step(
                        "waiting",
                        cluster.state().name().toLowerCase(Locale.ROOT) + " after " + took
                                + ValueFormatter.condition(status.conditions(), "Ready")
                                        .map(Condition::message)
                                        .map(message -> ": " + message)
                                        .orElse("; check that a running hub serves this namespace"));
        };
    }

    // Connection tests: one line per check, followed by missing permissions and fixes

    public static List<String> formatTest(TestReport report) {
        List<String> lines = new ArrayList<>();
        for (Check check : report.checks()) {
            lines.add("  " + pad(outcomeLabel(check.state()), 8) + pad(name(check.name()), 15)
                    + text(check, report).stripTrailing());
            below(check, report).forEach(line -> lines.add(BELOW + line));
        }
        lines.replaceAll(String::stripTrailing);
        return lines;
    }

    /** For example {@code 1 of 11 checks failed}, or {@code 10 checks passed, 1 warning, 1 skipped}. */
    public static String summarizeTest(TestReport report) {
        int failed = count(report, Outcome.FAILED);
        int warnings = count(report, Outcome.WARNING);
        int skipped = count(report, Outcome.SKIPPED);
        return (failed > 0
                        ? failed + " of " + report.checks().size() + " checks failed"
                        : ValueFormatter.countOf(count(report, Outcome.OK), "check") + " passed")
                + (warnings == 0 ? "" : ", " + ValueFormatter.countOf(warnings, "warning"))
                + (skipped == 0 ? "" : ", " + skipped + " skipped");
    }

    private static int count(TestReport report, Outcome outcome) {
        return Math.toIntExact(report.checks().stream()
                .filter(check -> check.state() == outcome)
                .count());
    }

    private static String text(Check check, TestReport report) {
        if (check.name() == CheckName.PERMISSIONS && check.state() == Outcome.FAILED) {
            return summarizePermissions(report) + "; missing:";
        }
        return check.message() == null ? "" : check.message();
    }

    /** For example {@code 21 of 21}. */
    static String summarizePermissions(TestReport report) {
        List<Permission> all = report.permissions() == null ? List.of() : report.permissions();
        long allowed = all.stream().filter(Permission::allowed).count();
        return allowed + " of " + all.size();
    }

    private static List<String> below(Check check, TestReport report) {
        List<String> lines = new ArrayList<>();
        boolean permissions = check.name() == CheckName.PERMISSIONS && check.state() == Outcome.FAILED;
        if (permissions && report.permissions() != null) {
            report.permissions().stream()
                    .filter(permission -> !permission.allowed())
                    .forEach(permission -> lines.add("  " + describe(permission)));
        }
        String cure = check.cure();
        if (cure != null && !cure.isEmpty()) {
            int command = cure.indexOf(": hub ");
            if (command < 0) {
                lines.add(cure);
            } else {
                lines.add(cure.substring(0, command + 1));
                lines.add("  " + cure.substring(command + 2));
            }
        }
        return lines;
    }

    private static String describe(Permission permission) {
        return permission.verb() + " " + permission.resource()
                + (permission.group() == null || permission.group().isEmpty() ? "" : "." + permission.group())
                + (permission.name() == null ? "" : " " + permission.name())
                + (permission.namespace() == null ? "" : " in " + permission.namespace());
    }

    private static String outcomeLabel(Outcome outcome) {
        return switch (outcome) {
            case OK -> "ok";
            case FAILED -> "FAILED";
            case WARNING -> "warning";
            case SKIPPED -> "-";
        };
    }

    private static String name(CheckName name) {
        return name.name().toLowerCase(Locale.ROOT);
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(Math.max(1, width - text.length()));
    }
}
