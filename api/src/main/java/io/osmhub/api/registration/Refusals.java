package io.osmhub.api.registration;

import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.Mistake;
import io.osmhub.api.problem.ProblemType;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.connection.TestReport;
import io.osmhub.tenancy.registration.RegistrationRefused;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Registrations that were not carried out, as problems of the API. */
final class Refusals {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final int MOST = 100;

    private Refusals() {}

    static ApiProblem of(RegistrationRefused refused) {
        return switch (refused.kind()) {
            case NOT_FOUND -> ApiProblem.of(ProblemType.NOT_FOUND, refused.detail(), List.of());
            case INCOMPLETE ->
                ApiProblem.badRequest(Mistake.body("/kubeconfig", refused.detail(), "give a kubeconfig"));
            case KUBECONFIG_REFUSED ->
                ApiProblem.refused(
                        ProblemType.KUBECONFIG_REFUSED,
                        refused.detail(),
                        first(refused.findings()).map(Refusals::kubeconfig).toList());
            case SETTINGS_REFUSED ->
                ApiProblem.refused(
                        ProblemType.SETTINGS_REFUSED,
                        refused.detail(),
                        first(refused.findings()).map(Refusals::setting).toList());
            case TEST_FAILED -> ApiProblem.refused(ProblemType.TEST_FAILED, refused.detail(), failed(refused));
            case CONFLICT -> ApiProblem.conflict(refused.detail());
            case PRECONDITION_FAILED -> ApiProblem.preconditionFailed(refused.detail());
            case WORKER_REFUSED -> ApiProblem.workerClusterRefused(refused.detail());
            case WORKER_SILENT -> ApiProblem.workerClusterTimeout(refused.detail());
        };
    }

    private static Stream<Finding> first(List<Finding> findings) {
        return findings.stream().limit(MOST);
    }

    private static Mistake kubeconfig(Finding finding) {
        String place = finding.line() > 0 && finding.field().isEmpty() ? "line " + finding.line() : finding.field();
        return because(
                Mistake.body("/kubeconfig", Message.clean(finding.what()), Message.clean(finding.cure()))
                        .at(Message.clean(place)),
                finding.reason());
    }

    private static Mistake setting(Finding finding) {
        String pointer = "/" + finding.field().replaceAll("\\[(\\d+)]", ".$1").replace('.', '/');
        return because(
                Mistake.body(Message.clean(pointer), Message.clean(finding.what()), Message.clean(finding.cure())),
                finding.reason());
    }

    private static List<Mistake> failed(RegistrationRefused refused) {
        TestReport report = refused.report();
        return report == null
                ? List.of()
                : report.checks().stream()
                        .filter(check -> check.outcome() == TestReport.Outcome.FAILED)
                        .map(check -> {
                            Mistake mistake = Mistake.body("/kubeconfig", check.message(), check.cure())
                                    .at(check.step().word());
                            return check.reason() == null ? mistake : mistake.because(check.reason());
                        })
                        .toList();
    }

    private static Mistake because(Mistake mistake, String word) {
        return Reason.of(word).map(mistake::because).orElse(mistake);
    }

    /** The management cluster did not do what the caller may have done. */
    static ApiProblem of(ApiFailure failure) {
        String words = Message.clean(failure.text());
        if (failure.why() == ApiFailure.Cause.ANSWERED) {
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
