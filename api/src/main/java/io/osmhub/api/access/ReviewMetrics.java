package io.osmhub.api.access;

/** Counts reviews of callers. Called on any thread; must not block. */
public interface ReviewMetrics {
    /** Counts nothing. */
    ReviewMetrics NONE = (kind, result, fromCache) -> {};

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

    /** A review ended, with a cached or a new result. */
    void onReviewed(Kind kind, Result result, boolean fromCache);
}
