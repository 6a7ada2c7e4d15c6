package io.osmhub.deploy.fleet;

import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.problem.Problem;
import io.osmhub.deploy.fleet.CommandFailure.CommandFailureKind;
import io.osmhub.tenancy.connection.ConnectionTestReport;
import io.osmhub.tenancy.registration.RegistrationException;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Converts failures to messages and exit codes. */
public final class FailureMessages {
    private FailureMessages() {}

    /** @param server the management cluster's, for messages */
    public static CommandFailure of(ApiFailure failure, String server) {
        String words = MessageFormatter.sanitize(failure.text());
        if (failure.kind() != ApiFailure.ApiFailureKind.ANSWERED) {
            return CommandFailure.unreachable(
                    "no response from " + server + " (" + words + "); check the address and the network");
        }
        if (failure.isUnauthorized()) {
            return new CommandFailure(
                    CommandFailureKind.NOT_ALLOWED,
                    "not authenticated at " + server + "; renew the kubeconfig's credential");
        }
        if (failure.isForbidden()) {
            return new CommandFailure(
                    CommandFailureKind.NOT_ALLOWED,
                    words + "; ask for the role osmhub.io:operator or osmhub.io:viewer in that namespace");
        }
        if (failure.isNamespaceNotFound()) {
            return CommandFailure.notFound(words + " at " + server + "; create the namespace or use another with -n");
        }
        if (failure.isNotFound()) {
            return CommandFailure.notFound(
                    words + "; check the name and that the definitions are installed (hub install crds)");
        }
        if (failure.code() == 409) {
            return new CommandFailure(CommandFailureKind.CONFLICT, words + "; try again");
        }
        return failure.code() < 500
                ? CommandFailure.unusable(words)
                : CommandFailure.unreachable(server + " responded " + failure.code() + " (" + words + "); try again");
    }

    /** @param server the worker cluster's, whose permissions and kinds are not the hub's to give */
    public static CommandFailure ofWorker(ApiFailure failure, String server) {
        String message = MessageFormatter.sanitize(failure.text()) + " at the worker cluster " + server;
        return failure.isForbidden()
                ? new CommandFailure(
                        CommandFailureKind.NOT_ALLOWED, message + "; use a kubeconfig with permission for it")
                : failure.isNotFound() ? CommandFailure.notFound(message) : of(failure, server);
    }

    /** @param source the subject of the findings, for example a kubeconfig file */
    public static CommandFailure of(RegistrationException refused, String source) {
        return switch (refused.kind()) {
            case NOT_FOUND -> CommandFailure.notFound(refused.detail() + "; list all with hub get clusters");
            case INCOMPLETE -> CommandFailure.unusable(refused.detail());
            case KUBECONFIG_REFUSED -> of(refused.findings(), source, "nothing was stored");
            case SETTINGS_REFUSED -> of(refused.findings(), "the settings", "nothing was stored");
            case TEST_FAILED -> test(refused);
            case CONFLICT, PRECONDITION_FAILED -> new CommandFailure(CommandFailureKind.CONFLICT, refused.detail());
            case WORKER_REFUSED -> new CommandFailure(CommandFailureKind.FOUND_SOMETHING, refused.detail());
            case WORKER_SILENT -> CommandFailure.unreachable(refused.detail());
        };
    }

    private static CommandFailure test(RegistrationException refused) {
        ConnectionTestReport report = refused.report();
        List<String> lines = new ArrayList<>();
        if (report != null) {
            report.checks().stream()
                    .filter(check -> check.outcome() == ConnectionTestReport.CheckOutcome.FAILED)
                    .forEach(check -> lines.add(withFix(check.message(), check.cure())));
        }
        return new CommandFailure(CommandFailureKind.FOUND_SOMETHING, refused.detail(), lines);
    }

    /**
     * @param source the subject of the findings, for example a file
     * @param outcome for example {@code nothing was stored}
     */
    public static CommandFailure of(List<Problem> findings, String source, String outcome) {
        String count = findings.size() == 1 ? "1 error" : findings.size() + " errors";
        return new CommandFailure(
                CommandFailureKind.UNUSABLE,
                count + " in " + source + ", " + outcome,
                alignedLines(findings, finding -> place(finding, source), Problem::cause, Problem::fix));
    }

    /** One line for each error: its place if any has one, and {@code cause; fix}. */
    static <T> List<String> alignedLines(
            List<T> errors, Function<T, String> place, Function<T, String> cause, Function<T, @Nullable String> fix) {
        TextTable<T> table = new TextTable<>(errors);
        if (errors.stream().anyMatch(error -> !place.apply(error).isEmpty())) {
            table.text("", place);
        }
        return table.text("", error -> withFix(cause.apply(error), fix.apply(error)))
                .lines(false, false, 0);
    }

    static String withFix(String cause, @Nullable String fix) {
        return cause + (fix == null || fix.isEmpty() ? "" : "; " + fix);
    }

    private static String place(Problem finding, String source) {
        return finding.field().isEmpty() && finding.position().line() > 0
                ? source + ":" + finding.position().line()
                        + (finding.position().column() > 0
                                ? ":" + finding.position().column()
                                : "")
                : finding.field();
    }
}
