package io.osmhub.api.access;

/** Counts what the management cluster was asked about callers. Called on any thread; must not wait. */
public interface ReviewMeter {
    /** Nobody counts. */
    ReviewMeter NONE = (kind, result, fromCache) -> {};

    /** Kinds of reviews. */
    enum Kind {
        TOKEN,
        ACCESS
    }

    /** How a review ended. */
    enum Result {
        ALLOWED,
        DENIED,
        ERROR
    }

    /** One question was answered, from memory or by the management cluster. */
    void reviewed(Kind kind, Result result, boolean fromCache);
}
