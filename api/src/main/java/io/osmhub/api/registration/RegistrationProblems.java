package io.osmhub.api.registration;

import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.ProblemType;
import io.osmhub.api.problem.RequestError;
import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.connection.ConnectionTestReport;
import io.osmhub.tenancy.registration.RegistrationException;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Maps failed registrations to API problems. */
final class RegistrationProblems {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final int MOST = 100;

    private RegistrationProblems() {}

    static ApiProblem of(RegistrationException refused) {
        return switch (refused.kind()) {
            case NOT_FOUND -> ApiProblem.of(ProblemType.NOT_FOUND, refused.detail(), List.of());
            case INCOMPLETE ->
                ApiProblem.badRequest(RequestError.body("/kubeconfig", refused.detail(), "give a kubeconfig"));
            case KUBECONFIG_REFUSED ->
                ApiProblem.refused(
                        ProblemType.KUBECONFIG_REFUSED,
                        refused.detail(),
                        first(refused.findings())
                                .map(RegistrationProblems::kubeconfig)
                                .toList());
            case SETTINGS_REFUSED ->
                ApiProblem.refused(
                        ProblemType.SETTINGS_REFUSED,
                        refused.detail(),
                        first(refused.findings())
                                .map(RegistrationProblems::setting)
                                .toList());
            case TEST_FAILED -> ApiProblem.refused(ProblemType.TEST_FAILED, refused.detail(), failed(refused));
            case CONFLICT -> ApiProblem.conflict(refused.detail());
            case PRECONDITION_FAILED -> ApiProblem.preconditionFailed(refused.detail());
            case WORKER_REFUSED -> ApiProblem.workerClusterRefused(refused.detail());
            case WORKER_SILENT -> ApiProblem.workerClusterTimeout(refused.detail());
        };
    }

    private static Stream<Problem> first(List<Problem> findings) {
        return findings.stream().limit(MOST);
    }

    private static RequestError kubeconfig(Problem finding) {
        String place = finding.position().line() > 0 && finding.field().isEmpty()
                ? "line " + finding.position().line()
                : finding.field();
        return withReason(
                RequestError.body(
                                "/kubeconfig",
                                MessageFormatter.sanitize(finding.cause()),
                                MessageFormatter.sanitize(finding.fix()))
                        .withField(MessageFormatter.sanitize(place)),
                finding.reason());
    }

    private static RequestError setting(Problem finding) {
        String pointer = "/" + finding.field().replaceAll("\\[(\\d+)]", ".$1").replace('.', '/');
        return withReason(
                RequestError.body(
                        MessageFormatter.sanitize(pointer),
                        MessageFormatter.sanitize(finding.cause()),
                        MessageFormatter.sanitize(finding.fix())),
                finding.reason());
    }

    private static List<RequestError> failed(RegistrationException refused) {
        ConnectionTestReport report = refused.report();
        return report == null
                ? List.of()
                : report.checks().stream()
                        .filter(check -> check.outcome() == ConnectionTestReport.CheckOutcome.FAILED)
                        .map(check -> {
                            RequestError mistake = RequestError.body("/kubeconfig", check.message(), check.cure())
                                    .withField(check.step().wireName());
                            return check.reason() == null ? mistake : mistake.withReason(check.reason());
                        })
                        .toList();
    }

    private static RequestError withReason(RequestError mistake, Reason reason) {
        return mistake.withReason(reason);
    }

    /** The caller was permitted, but the management cluster failed. */
    static ApiProblem of(ApiFailure failure) {
        String words = MessageFormatter.sanitize(failure.text());
        if (failure.kind() == ApiFailure.ApiFailureKind.ANSWERED) {
            if (failure.code() == 409) {
                return ApiProblem.conflict("it was changed at the same time; read it again and try again");
            }
            if (failure.isNamespaceNotFound()) {
                return ApiProblem.of(
                        ProblemType.NOT_FOUND, words + " in the management cluster; create the namespace", List.of());
            }
            if (failure.isNotFound()) {
                return ApiProblem.of(
                        ProblemType.NOT_FOUND,
                        "the management cluster has no such namespace or kind; create it",
                        List.of());
            }
            if (failure.isForbidden()) {
                return ApiProblem.unavailable(
                        "the hub may not do this in the management cluster; apply the manifests of this version", SOON);
            }
            if (failure.code() == 400 || failure.code() == 422) {
                return ApiProblem.refused(
                        ProblemType.SETTINGS_REFUSED, "the management cluster refuses it: " + words, List.of());
            }
        }
        Duration wait = failure.retryAfter();
        return ApiProblem.unavailable("the management cluster does not answer; try again", wait == null ? SOON : wait);
    }
}
