package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.Copies;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a request that failed, after RFC 9457: every mistake at once, each with its place and its cure.
 *
 * @param type a URN, the same for every problem of the kind
 * @param requestId what to report, and to look for in logs
 */
public record Problem(
        String type,
        String title,
        int status,
        @Nullable String detail,
        @Nullable String instance,
        @Nullable String requestId,
        @Nullable List<Mistake> errors) {
    public Problem {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(title, "title");
        errors = Copies.of(errors);
    }

    /**
     * One thing that is wrong with the request.
     *
     * @param pointer JSON pointer into the body, or the name of a parameter
     * @param field path inside a text such as a kubeconfig
     */
    public record Mistake(
            @Nullable Part in,
            @Nullable String pointer,
            @Nullable String field,
            @Nullable Reason reason,
            String detail,
            @Nullable String cure) {
        public Mistake {
            Objects.requireNonNull(detail, "detail");
        }

        /** The part of a request that holds the mistake. */
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
