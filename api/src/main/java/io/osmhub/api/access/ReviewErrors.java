package io.osmhub.api.access;

import io.osmhub.api.problem.ApiProblem;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.time.Duration;

/** Errors that callers receive without the response to a review. */
final class ReviewErrors {
    private static final Duration AGAIN = Duration.ofSeconds(2);

    private ReviewErrors() {}

    static ApiProblem toProblem(ApiFailure failure) {
        Duration wait = failure.retryAfter() == null ? AGAIN : failure.retryAfter();
        String detail = failure.isForbidden()
                ? "the hub may not authenticate you in the management cluster: its role does not allow create on tokenreviews or "
                        + "subjectaccessreviews"
                : "the management cluster does not respond to authentication and authorization requests; try again in "
                        + Math.max(1, wait.toSeconds()) + " s";
        return ApiProblem.unavailable(detail, wait);
    }

    static ApiProblem shuttingDown() {
        Thread.currentThread().interrupt();
        return ApiProblem.unavailable("the hub is stopping; retry to reach another replica", AGAIN);
    }
}
