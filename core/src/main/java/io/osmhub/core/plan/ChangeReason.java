package io.osmhub.core.plan;

/**
 * The reason of a change.
 *
 * @param explanation one clause for users, for example {@code the profile has version 1.3.0 (was 1.2.0)}
 */
public record ChangeReason(Cause cause, String explanation) {
    static final ChangeReason FIRST_PUBLICATION = Cause.FIRST.because("first publication");
    static final ChangeReason NEXT_FETCH_TOKEN =
            Cause.RENEWAL.because("machines fetch with a new token before the old one ends");

    /** Decides which Event reports the change. */
    public enum Cause {
        /** First publication. */
        FIRST,
        /** The desired content changed. */
        CONTENT,
        /** Only the revision changed, the bytes did not. */
        REVISION,
        /** Another writer deleted or edited it. */
        DRIFT,
        /** The token is kept valid. */
        RENEWAL,
        /** The token was missing, unreadable or too old. */
        NEW_TOKEN,
        /** No longer needed. */
        REMOVAL;

        ChangeReason because(String explanation) {
            return new ChangeReason(this, explanation);
        }
    }
}
