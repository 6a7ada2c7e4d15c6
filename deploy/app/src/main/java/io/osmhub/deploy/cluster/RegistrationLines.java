package io.osmhub.deploy.cluster;

import io.osmhub.api.schema.RegistrationResult;
import io.osmhub.api.schema.TestReport;
import io.osmhub.api.schema.TestReport.Check;
import io.osmhub.api.schema.TestReport.Check.CheckName;
import io.osmhub.api.schema.TestReport.Check.Outcome;
import io.osmhub.api.schema.WorkerCluster;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.tenancy.credential.WorkerAccount;
import io.osmhub.tenancy.credential.WorkerRole;
import io.osmhub.tenancy.kubeconfig.VettedKubeconfig;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A registration told step by step. */
public final class RegistrationLines {
    private RegistrationLines() {}

    private static String step(String word, String text) {
        return "  " + word + " ".repeat(Math.max(1, 10 - word.length())) + text;
    }

    /** @param file that the kubeconfig came from */
    public static String read(String file, VettedKubeconfig kubeconfig) {
        return step(
                "read",
                file + ": context " + kubeconfig.contextName() + ", " + kubeconfig.server() + ", "
                        + kubeconfig.credential().kind());
    }

    /** What was tried, made and stored. */
    public static List<String> done(RegistrationResult result, Instant now) {
        List<String> lines = new ArrayList<>();
        TestReport report = result.test();
        if (report.address() != null && passed(report, CheckName.CONNECTION)) {
            lines.add(step("reached", reached(report)));
        }
        if (report.permissions() != null) {
            lines.add(step("allowed", ReportLines.allowed(report) + " permissions"));
        }
        WorkerClusterSpec spec = result.workerCluster().spec();
        boolean scoped = isScoped(spec);
        if (scoped) {
            WorkerAccount account = WorkerAccount.of(spec.credentials());
            lines.add(step(
                    "made",
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

    static boolean isScoped(WorkerClusterSpec spec) {
        return spec.credentials() != null && spec.credentials().mode() == WorkerClusterSpec.Credentials.Mode.SCOPED;
    }

    private static String stored(boolean scoped, TestReport report, Instant now) {
        Instant end = report.expiresAt();
        String valid = end == null ? "" : ", valid " + span(Duration.between(now, end));
        return scoped ? "its token" + valid + ", renewed by the hub" : "the kubeconfig as given" + valid;
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

    /** How the hub fares with it. */
    public static String state(WorkerCluster cluster, Duration after) {
        WorkerClusterStatus status = cluster.status();
        WorkerClusterStatus.MachineDeploymentCounts counts = status.machineDeployments();
        int all = counts == null || counts.total() == null ? 0 : counts.total();
        int problems = status.problemCount() == null ? 0 : status.problemCount();
        String took = String.format(Locale.ROOT, "%.1f s", after.toMillis() / 1000.0);
        return switch (cluster.state()) {
            case SYNCED ->
                step("synced", count(all, "MachineDeployment") + ", " + count(problems, "problem") + ", " + took);
            case PAUSED -> step("paused", "the hub writes nothing until hub cluster resume");
            case CONNECTING, DEGRADED, UNREACHABLE, UNAUTHORIZED, CLOSED ->
                step(
                        "waits",
                        cluster.state().name().toLowerCase(Locale.ROOT) + " after " + took
                                + ClusterTable.condition(status, "Ready")
                                        .map(Condition::message)
                                        .map(message -> ": " + message)
                                        .orElse("; is a hub running that serves this namespace?"));
        };
    }

    private static String count(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }
}
