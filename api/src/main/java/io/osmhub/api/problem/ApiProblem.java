package io.osmhub.api.problem;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An error response. All of it is visible to the caller: never a credential, another caller's text, or the name of an invisible object. */
public final class ApiProblem extends Exception {
    private static final long serialVersionUID = 1L;

    private final ProblemType type;
    private final int status;
    private final String detail;
    private final transient List<RequestError> mistakes;
    private final @Nullable Duration retryAfter;
    private final transient Map<String, String> headers;

    private ApiProblem(
            ProblemType type,
            int status,
            String detail,
            List<RequestError> mistakes,
            @Nullable Duration retryAfter,
            Map<String, String> headers) {
        super(detail, null, false, false);
        this.type = type;
        this.status = status;
        this.detail = detail;
        this.mistakes = List.copyOf(mistakes);
        this.retryAfter = retryAfter;
        this.headers = Map.copyOf(headers);
    }

    /** A problem with its type's status. {@code detail} states what happened and how to fix it. */
    public static ApiProblem of(ProblemType type, String detail, List<RequestError> mistakes) {
        return new ApiProblem(type, type.status(), detail, mistakes, null, Map.of());
    }

    /** A malformed request. */
    public static ApiProblem badRequest(String detail) {
        return of(ProblemType.BAD_REQUEST, detail, List.of());
    }

    /** A request with these errors. */
    public static ApiProblem badRequest(List<RequestError> mistakes) {
        return of(ProblemType.BAD_REQUEST, summary(mistakes), mistakes);
    }

    /** A request with one error. */
    public static ApiProblem badRequest(RequestError mistake) {
        return badRequest(List.of(mistake));
    }

    /** A readable body that violates the contract. */
    public static ApiProblem validationFailed(List<RequestError> mistakes) {
        return of(ProblemType.VALIDATION_FAILED, summary(mistakes), mistakes);
    }

    /** A constant message, so that the cause is not revealed. */
    public static ApiProblem unauthenticated() {
        return of(
                ProblemType.UNAUTHENTICATED,
                "send a token that the management cluster accepts for this hub as Authorization: Bearer, or sign in again",
                List.of());
    }

    /** The caller may see the object, but not do this. */
    public static ApiProblem forbidden(String detail) {
        return of(ProblemType.FORBIDDEN, detail, List.of());
    }

    /** Absent or invisible: the same message for both. {@code what} for example {@code "WorkerCluster shop in namespace a"}. */
    public static ApiProblem notFound(String what) {
        return of(ProblemType.NOT_FOUND, "no " + what + ", or you may not see it", List.of());
    }

    public static ApiProblem conflict(String detail) {
        return of(ProblemType.CONFLICT, detail, List.of());
    }

    public static ApiProblem preconditionFailed(String detail) {
        return of(ProblemType.PRECONDITION_FAILED, detail, List.of());
    }

    public static ApiProblem tooLarge(String detail) {
        return of(ProblemType.TOO_LARGE, detail, List.of());
    }

    public static ApiProblem unsupportedMediaType(String detail) {
        return of(ProblemType.UNSUPPORTED_MEDIA_TYPE, detail, List.of());
    }

    /** Valid but rejected: one of KUBECONFIG_REFUSED, TEST_FAILED, SETTINGS_REFUSED. {@code detail} also states that nothing was stored. */
    public static ApiProblem refused(ProblemType type, String detail, List<RequestError> mistakes) {
        return of(type, detail, mistakes);
    }

    public static ApiProblem rateLimited(Duration retryAfter) {
        return rateLimited("rate limit of this caller exceeded; wait " + retryAfter.toSeconds() + " s", retryAfter);
    }

    /** A limit other than that of requests. {@code detail} states which, and when to retry. */
    public static ApiProblem rateLimited(String detail, Duration retryAfter) {
        return of(ProblemType.RATE_LIMITED, detail, List.of()).retryAfter(retryAfter);
    }

    /** An internal error; the cause is logged under the request's id, and not disclosed. */
    public static ApiProblem internalError() {
        return of(ProblemType.INTERNAL_ERROR, "internal error of the hub; report the request id", List.of());
    }

    /** The management cluster is unreachable, or the hub is stopping. */
    public static ApiProblem unavailable(String detail, Duration retryAfter) {
        return of(ProblemType.UNAVAILABLE, detail, List.of()).retryAfter(retryAfter);
    }

    public static ApiProblem workerClusterRefused(String detail) {
        return of(ProblemType.WORKER_CLUSTER_REFUSED, detail, List.of());
    }

    public static ApiProblem workerClusterTimeout(String detail) {
        return of(ProblemType.WORKER_CLUSTER_TIMEOUT, detail, List.of());
    }

    private static String summary(List<RequestError> mistakes) {
        return mistakes.size() == 1 ? mistakes.getFirst().detail() : mistakes.size() + " errors; nothing was done";
    }

    /** The same with a more specific status, for example 405. */
    public ApiProblem status(int other) {
        return new ApiProblem(type, other, detail, mistakes, retryAfter, headers);
    }

    /** The same with a retry delay. */
    public ApiProblem retryAfter(Duration wait) {
        return new ApiProblem(type, status, detail, mistakes, wait, headers);
    }

    /** The same with a response header. */
    public ApiProblem header(String name, String value) {
        return new ApiProblem(type, status, detail, mistakes, retryAfter, Map.of(name, value));
    }

    public ProblemType type() {
        return type;
    }

    public int status() {
        return status;
    }

    public String detail() {
        return detail;
    }

    public List<RequestError> mistakes() {
        return mistakes;
    }

    public @Nullable Duration retryAfter() {
        return retryAfter;
    }

    /** Additional response headers. */
    public Map<String, String> headers() {
        return headers;
    }
}
