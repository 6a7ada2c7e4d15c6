package io.osmhub.e2e.cluster;

/** An API server said no. */
public final class ApiFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int code;

    ApiFailure(int code, String message) {
        super(message);
        this.code = code;
    }

    /** HTTP status. */
    public int code() {
        return code;
    }
}
