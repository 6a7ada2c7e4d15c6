package io.osmhub.deploy.fleet;

import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.Message;
import io.osmhub.deploy.fleet.FleetFailure.Kind;
import io.osmhub.tenancy.connection.TestReport;
import io.osmhub.tenancy.registration.RegistrationRefused;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.util.ArrayList;
import java.util.List;

/** What goes wrong on the way to a cluster, in words and exit codes of commands. */
public final class Failing {
    private Failing() {}

    /** @param server the management cluster's, for messages */
    public static FleetFailure of(ApiFailure failure, String server) {
        String words = Message.clean(failure.text());
        if (failure.why() != ApiFailure.Cause.ANSWERED) {
            return new FleetFailure(
                    Kind.UNREACHABLE,
                    "no answer from " + server + " (" + words + "); check the address and the network");
        }
        if (failure.isUnauthorized()) {
            return new FleetFailure(
                    Kind.NOT_ALLOWED, "not signed in to " + server + "; renew the credential of the kubeconfig");
        }
        if (failure.isForbidden()) {
            return new FleetFailure(
                    Kind.NOT_ALLOWED,
                    words + "; ask for the role osmhub.io:operator or osmhub.io:viewer in that namespace");
        }
        if (failure.isNamespaceNotFound()) {
            return new FleetFailure(
                    Kind.NOT_FOUND, words + " at " + server + "; create the namespace, or name another one with -n");
        }
        if (failure.isNotFound()) {
            return new FleetFailure(
                    Kind.NOT_FOUND,
                    words + "; check the name, and that hub install crds was run in the management cluster");
        }
        if (failure.code() == 409) {
            return new FleetFailure(Kind.CONFLICT, words + "; try again");
        }
        return failure.code() < 500
                ? new FleetFailure(Kind.UNUSABLE, words)
                : new FleetFailure(
                        Kind.UNREACHABLE, server + " answered " + failure.code() + " (" + words + "); try again");
    }

    /** @param source what the findings are about, for example the file of a kubeconfig */
    public static FleetFailure of(RegistrationRefused refused, String source) {
        return switch (refused.kind()) {
            case NOT_FOUND -> new FleetFailure(Kind.NOT_FOUND, refused.detail() + "; hub cluster list -A shows all");
            case INCOMPLETE -> new FleetFailure(Kind.UNUSABLE, refused.detail());
            case KUBECONFIG_REFUSED -> refused(refused.findings(), source);
            case SETTINGS_REFUSED -> refused(refused.findings(), "the settings");
            case TEST_FAILED -> test(refused);
            case CONFLICT, PRECONDITION_FAILED -> new FleetFailure(Kind.CONFLICT, refused.detail());
            case WORKER_REFUSED -> new FleetFailure(Kind.FOUND_SOMETHING, refused.detail());
            case WORKER_SILENT -> new FleetFailure(Kind.UNREACHABLE, refused.detail());
        };
    }

    private static FleetFailure test(RegistrationRefused refused) {
        TestReport report = refused.report();
        List<String> lines = new ArrayList<>();
        if (report != null) {
            report.checks().stream()
                    .filter(check -> check.outcome() == TestReport.Outcome.FAILED)
                    .forEach(check -> lines.add(check.message() + (check.cure().isEmpty() ? "" : "; " + check.cure())));
        }
        return new FleetFailure(Kind.FOUND_SOMETHING, refused.detail(), lines);
    }

    private static FleetFailure refused(List<Finding> findings, String source) {
        int width = findings.stream()
                .mapToInt(finding -> finding.field().length())
                .max()
                .orElse(0);
        String count = findings.size() == 1 ? "1 mistake" : findings.size() + " mistakes";
        return new FleetFailure(
                Kind.UNUSABLE,
                count + " in " + source + ", nothing was stored",
                findings.stream().map(finding -> line(finding, width)).toList());
    }

    private static String line(Finding finding, int width) {
        String field = finding.field().isEmpty() && finding.line() > 0 ? "line " + finding.line() : finding.field();
        String pad = " ".repeat(Math.max(0, width - field.length()));
        return field + pad + "  " + finding.what() + (finding.cure().isEmpty() ? "" : "; " + finding.cure());
    }
}
