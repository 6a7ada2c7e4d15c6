package io.osmhub.deploy.fleet;

import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.problem.Problem;
import io.osmhub.deploy.fleet.FleetFailure.FleetFailureKind;
import io.osmhub.tenancy.connection.ConnectionTestReport;
import io.osmhub.tenancy.registration.RegistrationException;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.util.ArrayList;
import java.util.List;

/** Converts failures to messages and exit codes. */
public final class FailureMessages {
    private FailureMessages() {}

    /** @param server the management cluster's, for messages */
    public static FleetFailure of(ApiFailure failure, String server) {
        String words = MessageFormatter.sanitize(failure.text());
        if (failure.kind() != ApiFailure.ApiFailureKind.ANSWERED) {
            return FleetFailure.unreachable(
                    "no response from " + server + " (" + words + "); check the address and the network");
        }
        if (failure.isUnauthorized()) {
            return new FleetFailure(
                    FleetFailureKind.NOT_ALLOWED,
                    "not authenticated at " + server + "; renew the kubeconfig's credential");
        }
        if (failure.isForbidden()) {
            return new FleetFailure(
                    FleetFailureKind.NOT_ALLOWED,
                    words + "; ask for the role osmhub.io:operator or osmhub.io:viewer in that namespace");
        }
        if (failure.isNamespaceNotFound()) {
            return FleetFailure.notFound(words + " at " + server + "; create the namespace or use another with -n");
        }
        if (failure.isNotFound()) {
            return FleetFailure.notFound(
                    words + "; check the name and that the definitions are installed (hub install crds)");
        }
        if (failure.code() == 409) {
            return new FleetFailure(FleetFailureKind.CONFLICT, words + "; try again");
        }
        return failure.code() < 500
                ? FleetFailure.unusable(words)
                : FleetFailure.unreachable(server + " responded " + failure.code() + " (" + words + "); try again");
    }

    /** @param source the subject of the findings, for example a kubeconfig file */
    public static FleetFailure of(RegistrationException refused, String source) {
        return switch (refused.kind()) {
            case NOT_FOUND -> FleetFailure.notFound(refused.detail() + "; list all with hub get clusters");
            case INCOMPLETE -> FleetFailure.unusable(refused.detail());
            case KUBECONFIG_REFUSED -> of(refused.findings(), source, "nothing was stored");
            case SETTINGS_REFUSED -> of(refused.findings(), "the settings", "nothing was stored");
            case TEST_FAILED -> test(refused);
            case CONFLICT, PRECONDITION_FAILED -> new FleetFailure(FleetFailureKind.CONFLICT, refused.detail());
            case WORKER_REFUSED -> new FleetFailure(FleetFailureKind.FOUND_SOMETHING, refused.detail());
            case WORKER_SILENT -> FleetFailure.unreachable(refused.detail());
        };
    }

    private static FleetFailure test(RegistrationException refused) {
        ConnectionTestReport report = refused.report();
        List<String> lines = new ArrayList<>();
        if (report != null) {
            report.checks().stream()
                    .filter(check -> check.outcome() == ConnectionTestReport.CheckOutcome.FAILED)
                    .forEach(check -> lines.add(check.message() + (check.cure().isEmpty() ? "" : "; " + check.cure())));
        }
        return new FleetFailure(FleetFailureKind.FOUND_SOMETHING, refused.detail(), lines);
    }

    /**
     * @param source the subject of the findings, for example a file
     * @param outcome for example {@code nothing was stored}
     */
    public static FleetFailure of(List<Problem> findings, String source, String outcome) {
        int width = findings.stream()
                .mapToInt(finding -> place(finding, source).length())
                .max()
                .orElse(0);
        String count = findings.size() == 1 ? "1 error" : findings.size() + " errors";
        return new FleetFailure(
                FleetFailureKind.UNUSABLE,
                count + " in " + source + ", " + outcome,
                findings.stream().map(finding -> line(finding, source, width)).toList());
    }

    private static String place(Problem finding, String source) {
        return finding.field().isEmpty() && finding.position().line() > 0
                ? source + ":" + finding.position().line()
                        + (finding.position().column() > 0
                                ? ":" + finding.position().column()
                                : "")
                : finding.field();
    }

    private static String line(Problem finding, String source, int width) {
        String place = place(finding, source);
        String pad = " ".repeat(Math.max(0, width - place.length()));
        return place + pad + "  " + finding.cause() + (finding.fix().isEmpty() ? "" : "; " + finding.fix());
    }
}
