package io.osmhub.api.http;

import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.Mistake;
import io.osmhub.api.schema.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Problems as the contract wants them, cut to its lengths. */
final class ProblemJson {
    static final String TYPE = "application/problem+json";
    private static final int LONGEST = 1_024;

    private ProblemJson() {}

    /** @param path of the request */
    static Problem of(ApiProblem problem, String path, String requestId) {
        List<Problem.Mistake> errors =
                problem.mistakes().stream().map(ProblemJson::mistake).toList();
        return new Problem(
                problem.type().uri(),
                problem.type().title(),
                problem.status(),
                cut(problem.detail(), LONGEST),
                cut(path, LONGEST),
                requestId,
                errors.isEmpty() ? null : errors);
    }

    private static Problem.Mistake mistake(Mistake mistake) {
        Mistake.In in = mistake.in();
        return new Problem.Mistake(
                in == null ? null : Problem.Mistake.Part.valueOf(in.name()),
                cut(mistake.pointer(), LONGEST),
                cut(mistake.field(), LONGEST),
                mistake.reason(),
                mistake.detail().length() <= LONGEST
                        ? mistake.detail()
                        : mistake.detail().substring(0, LONGEST - 1) + "…",
                cut(mistake.cure(), LONGEST));
    }

    /** Absent when empty. */
    private static @Nullable String cut(String text, int most) {
        if (text.isEmpty()) {
            return null;
        }
        return text.length() <= most ? text : text.substring(0, most - 1) + "…";
    }
}
