package io.osmhub.workersync.apiserver;

import java.util.Locale;

/** Kubernetes API verb of a request. */
public enum Verb {
    GET("GET"),
    LIST("GET"),
    WATCH("GET"),
    CREATE("POST"),
    UPDATE("PUT"),
    PATCH("PATCH"),
    DELETE("DELETE");

    private final String method;

    Verb(String method) {
        this.method = method;
    }

    /** HTTP method. */
    public String method() {
        return method;
    }

    /** As in metrics, logs and permissions. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public boolean writes() {
        return switch (this) {
            case GET, LIST, WATCH -> false;
            case CREATE, UPDATE, PATCH, DELETE -> true;
        };
    }
}
