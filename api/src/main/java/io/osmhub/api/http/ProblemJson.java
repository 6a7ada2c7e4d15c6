package io.osmhub.api.http;

import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.RequestError;
import io.osmhub.api.schema.ProblemDetails;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Problems in the contract's form, truncated to its lengths. */
final class ProblemJson {
    static final String TYPE = "application/problem+json";
    private static final int LONGEST = 1_024;

    private ProblemJson() {}

    /** @param path of the request */
    static ProblemDetails of(ApiProblem problem, String path, String requestId) {
        List<ProblemDetails.ProblemError> errors =
                problem.mistakes().stream().map(ProblemJson::mistake).toList();
        return new ProblemDetails(
                problem.type().uri(),
                problem.type().title(),
                problem.status(),
                cut(problem.detail(), LONGEST),
                cut(path, LONGEST),
                requestId,
                errors.isEmpty() ? null : errors);
    }

    private static ProblemDetails.ProblemError mistake(RequestError mistake) {
        RequestError.RequestPart in = mistake.in();
        return new ProblemDetails.ProblemError(
                in == null ? null : ProblemDetails.ProblemError.Part.valueOf(in.name()),
                cut(mistake.pointer(), LONGEST),
                cut(mistake.field(), LONGEST),
                mistake.reason(),
                mistake.detail().length() <= LONGEST
                        ? mistake.detail()
                        : mistake.detail().substring(0, LONGEST - 1) + "…",
                cut(mistake.cure(), LONGEST));
    }

    /** Null if empty. */
    private static @Nullable String cut(String text, int most) {
        if (text.isEmpty()) {
            return null;
        }
        return text.length() <= most ? text : text.substring(0, most - 1) + "…";
    }
}
