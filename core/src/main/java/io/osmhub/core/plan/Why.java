package io.osmhub.core.plan;

/**
 * The reason of a change.
 *
 * @param because one clause for people, for example {@code the profile has version 1.3.0 (was 1.2.0)}
 */
public record Why(Cause cause, String because) {
    /** What kind of reason it is; decides which Event tells of it. */
    public enum Cause {
        /** It is published for the first time. */
        FIRST,
        /** What is wanted changed. */
        CONTENT,
        /** Only the revision changed, the bytes did not. */
        REVISION,
        /** Somebody else deleted or edited it. */
        DRIFT,
        /** The token is kept valid. */
        RENEWAL,
        /** The token was missing, unreadable or too old. */
        NEW_TOKEN,
        /** It is needed no more. */
        REMOVAL
    }
}
