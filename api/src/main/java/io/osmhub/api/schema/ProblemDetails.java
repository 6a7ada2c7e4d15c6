package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.problem.Reason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An error response as in RFC 9457: all errors at once, each with its location and fix.
 *
 * @param type a URN for the kind of problem
 * @param requestId for reports and log searches
 */
public record ProblemDetails(
        String type,
        String title,
        int status,
        @Nullable String detail,
        @Nullable String instance,
        @Nullable String requestId,
        @Nullable List<ProblemError> errors) {
    /**
     * One error in the request.
     *
     * @param pointer JSON pointer into the body, or the name of a parameter
     * @param field path inside a text such as a kubeconfig
     */
    public record ProblemError(
            @Nullable Part in,
            @Nullable String pointer,
            @Nullable String field,
            @Nullable Reason reason,
            String detail,
            @Nullable String cure) {
        /** The part of a request that contains the error. */
        public enum Part {
            @JsonProperty("body")
            BODY,
            @JsonProperty("query")
            QUERY,
            @JsonProperty("path")
            PATH,
            @JsonProperty("header")
            HEADER
        }
    }
}
