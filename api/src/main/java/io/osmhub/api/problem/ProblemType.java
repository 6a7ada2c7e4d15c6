package io.osmhub.api.problem;

import java.util.Locale;

/** Problem types of the API; the contract lists the same. */
public enum ProblemType {
    BAD_REQUEST(400, "The request is malformed"),
    VALIDATION_FAILED(400, "The request violates the contract"),
    UNAUTHENTICATED(401, "Not signed in"),
    FORBIDDEN(403, "Not allowed"),
    NOT_FOUND(404, "Not found"),
    CONFLICT(409, "Already exists, or changed meanwhile"),
    PRECONDITION_FAILED(412, "The precondition failed"),
    TOO_LARGE(413, "The request is too large"),
    UNSUPPORTED_MEDIA_TYPE(415, "The media type is not supported"),
    KUBECONFIG_REFUSED(422, "The kubeconfig was refused"),
    TEST_FAILED(422, "The worker cluster did not pass the test"),
    SETTINGS_REFUSED(422, "The settings were refused"),
    RATE_LIMITED(429, "Too many requests"),
    INTERNAL_ERROR(500, "Internal error"),
    WORKER_CLUSTER_REFUSED(502, "The worker cluster rejected the request"),
    UNAVAILABLE(503, "Temporarily unavailable"),
    WORKER_CLUSTER_TIMEOUT(504, "The worker cluster did not respond");

    private final int status;
    private final String title;

    ProblemType(int status, String title) {
        this.status = status;
        this.title = title;
    }

    /** Default HTTP status. */
    public int status() {
        return status;
    }

    /** The same for every problem of this type. */
    public String title() {
        return title;
    }

    /** {@code type} of the response. */
    public String uri() {
        return "urn:osmhub:problem:" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
