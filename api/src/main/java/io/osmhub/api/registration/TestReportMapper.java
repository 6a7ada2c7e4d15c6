package io.osmhub.api.registration;

import io.osmhub.api.schema.TestReport;
import io.osmhub.api.schema.TestReport.Check.CheckName;
import io.osmhub.api.schema.TestReport.Check.Outcome;
import io.osmhub.tenancy.connection.Permission;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Maps the report of a connection test to its API record. Pure. */
public final class TestReportMapper {
    private TestReportMapper() {}

    public static TestReport of(io.osmhub.tenancy.connection.ConnectionTestReport report) {
        Duration ahead = report.clockAhead();
        return new TestReport(
                report.passed(),
                nullIfEmpty(report.endpoint()),
                nullIfEmpty(report.address()),
                nullIfEmpty(report.version()),
                nullIfEmpty(report.user()),
                report.expiresAt(),
                ahead == null ? null : ahead.toMillis() / 1000.0,
                report.checks().stream().map(TestReportMapper::check).toList(),
                report.permissions().isEmpty()
                        ? null
                        : report.permissions().stream()
                                .map(grant -> permission(grant.permission(), grant.allowed()))
                                .toList());
    }

    private static TestReport.Check check(io.osmhub.tenancy.connection.ConnectionTestReport.ConnectionCheck check) {
        Duration took = check.took();
        return new TestReport.Check(
                CheckName.valueOf(check.step().name()),
                Outcome.valueOf(check.outcome().name()),
                check.reason(),
                nullIfEmpty(check.message()),
                nullIfEmpty(check.cure()),
                took == null ? null : (int) Math.min(Integer.MAX_VALUE, took.toMillis()));
    }

    private static TestReport.Permission permission(Permission permission, boolean allowed) {
        return new TestReport.Permission(
                permission.verb(),
                permission.group(),
                permission.resource(),
                nullIfEmpty(permission.namespace()),
                nullIfEmpty(permission.name()),
                allowed,
                neededFor(permission));
    }

    private static String neededFor(Permission permission) {
        return switch (permission.resource()) {
            case "machinedeployments" -> permission.verb().equals("patch") ? "removal" : "finding MachineDeployments";
            case "secrets" -> permission.namespace().equals("kube-system") ? "bootstrap tokens" : "publishing";
            case "serviceaccounts" -> "bootstrap.serviceAccountRef";
            case "configmaps", "endpointslices" -> "the address that nodes join at";
            case "namespaces" -> "knowing which cluster it is";
            case "leases" -> "seeing whether operating-system-manager still runs";
            case "events" -> "telling the owners of MachineDeployments";
            default -> "serving the worker cluster";
        };
    }

    private static @Nullable String nullIfEmpty(String text) {
        return text.isEmpty() ? null : text;
    }
}
