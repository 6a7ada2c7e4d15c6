package io.osmhub.api.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.io.IOException;
import java.time.Duration;

/** Answers to reviews, and what a caller is told when there is none. */
final class Unavailable {
    private static final Duration AGAIN = Duration.ofSeconds(2);
    private static final ObjectMapper JSON = new ObjectMapper();

    private Unavailable() {}

    static ApiProblem because(ApiFailure failure) {
        Duration wait = failure.retryAfter() == null ? AGAIN : failure.retryAfter();
        String detail = failure.isForbidden()
                ? "the hub may not ask the management cluster who you are: its role lacks create on tokenreviews or "
                        + "subjectaccessreviews"
                : "the management cluster does not answer who you are and what you may do; try again in "
                        + Math.max(1, wait.toSeconds()) + " s";
        return ApiProblem.unavailable(detail, wait);
    }

    static ApiProblem stopping() {
        Thread.currentThread().interrupt();
        return ApiProblem.unavailable("the hub is stopping; another replica answers", AGAIN);
    }

    static JsonNode read(byte[] json) throws ApiFailure {
        try {
            return JSON.readTree(json);
        } catch (IOException e) {
            throw ApiFailure.noAnswer(ApiFailure.Cause.UNREADABLE, "the answer to a review is not JSON");
        }
    }
}
