package io.osmhub.api.problem;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request that is answered with a problem. Everything in it is shown to the caller: no credential, no text of another caller,
 * no name of an object that the caller may not see.
 */
public final class ApiProblem extends Exception {
    private static final long serialVersionUID = 1L;

    private final ProblemType type;
    private final int status;
    private final String detail;
    private final transient List<Mistake> mistakes;
    private final @Nullable Duration retryAfter;
    private final transient Map<String, String> headers;

    private ApiProblem(
            ProblemType type,
            int status,
            String detail,
            List<Mistake> mistakes,
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

    /** Any problem with the status of its type. {@code detail} says what happened here and how to mend it. */
    public static ApiProblem of(ProblemType type, String detail, List<Mistake> mistakes) {
        return new ApiProblem(type, type.status(), detail, mistakes, null, Map.of());
    }

    /** A request that is malformed as a whole. */
    public static ApiProblem badRequest(String detail) {
        return of(ProblemType.BAD_REQUEST, detail, List.of());
    }

    /** A request with mistakes; all that were found. */
    public static ApiProblem badRequest(List<Mistake> mistakes) {
        return of(ProblemType.BAD_REQUEST, summary(mistakes), mistakes);
    }

    /** One mistake. */
    public static ApiProblem badRequest(Mistake mistake) {
        return badRequest(List.of(mistake));
    }

    /** A body that can be read but does not fit. */
    public static ApiProblem validationFailed(List<Mistake> mistakes) {
        return of(ProblemType.VALIDATION_FAILED, summary(mistakes), mistakes);
    }

    /** Always the same words, so that nobody learns why. */
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

    /** Not there, or not for this caller: the same words for both. {@code what} for example {@code "WorkerCluster shop in namespace a"}. */
    public static ApiProblem notFound(String what) {
        return of(ProblemType.NOT_FOUND, "no " + what + ", or you may not see it", List.of());
    }

    public static ApiProblem conflict(String detail) {
        return of(ProblemType.CONFLICT, detail, List.of());
    }

    /** A cursor or an event id that has become too old. */
    public static ApiProblem gone(String detail) {
        return of(ProblemType.GONE, detail, List.of());
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

    /**
     * Understood, but refused: one of KUBECONFIG_REFUSED, TEST_FAILED, SETTINGS_REFUSED. {@code detail} also says
     * what was stored, which is nothing.
     */
    public static ApiProblem refused(ProblemType type, String detail, List<Mistake> mistakes) {
        return of(type, detail, mistakes);
    }

    public static ApiProblem rateLimited(Duration retryAfter) {
        return rateLimited(
                "more requests than this caller may send; wait " + retryAfter.toSeconds() + " s", retryAfter);
    }

    /** Another limit than that of requests. {@code detail} says which, and when to come again. */
    public static ApiProblem rateLimited(String detail, Duration retryAfter) {
        return of(ProblemType.RATE_LIMITED, detail, List.of()).retryAfter(retryAfter);
    }

    /** A fault of the hub; the cause is logged under the id of the request, and not told. */
    public static ApiProblem internalError() {
        return of(ProblemType.INTERNAL_ERROR, "this is a fault of the hub; report the request id", List.of());
    }

    /** The management cluster is not reached, or the hub stops. */
    public static ApiProblem unavailable(String detail, Duration retryAfter) {
        return of(ProblemType.UNAVAILABLE, detail, List.of()).retryAfter(retryAfter);
    }

    public static ApiProblem workerClusterRefused(String detail) {
        return of(ProblemType.WORKER_CLUSTER_REFUSED, detail, List.of());
    }

    public static ApiProblem workerClusterTimeout(String detail) {
        return of(ProblemType.WORKER_CLUSTER_TIMEOUT, detail, List.of());
    }

    private static String summary(List<Mistake> mistakes) {
        return mistakes.size() == 1 ? mistakes.getFirst().detail() : mistakes.size() + " mistakes; nothing was done";
    }

    /** The same with a more exact status, for example 405. */
    public ApiProblem status(int other) {
        return new ApiProblem(type, other, detail, mistakes, retryAfter, headers);
    }

    /** The same with the time after which it is worth to try again. */
    public ApiProblem retryAfter(Duration wait) {
        return new ApiProblem(type, status, detail, mistakes, wait, headers);
    }

    /** The same with a header of the answer. */
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

    public List<Mistake> mistakes() {
        return mistakes;
    }

    public @Nullable Duration retryAfter() {
        return retryAfter;
    }

    /** Headers of the answer beside those that every one has. */
    public Map<String, String> headers() {
        return headers;
    }
}
