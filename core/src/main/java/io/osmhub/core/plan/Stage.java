package io.osmhub.core.plan;

/**
 * The order of writes. What a later one relies on is there before it: a token before what embeds it, and the finalizer and all that a
 * machine asks for before the bootstrap secret that makes it start. While there is no bootstrap secret, no machine asks for anything:
 * what it will ask for is then written together with the token and the finalizer, since each stage waits for an answer of the API
 * server. What a hub that dies in between leaves without a finalizer is swept. The OperatingSystemConfig comes last, because nothing
 * waits for it. What goes, goes in the opposite order.
 */
final class Stage {
    /** Of the finalizer too. */
    static final int TOKEN = 0;

    static final int BEFORE_BOOTSTRAP = 1;
    static final int BOOTSTRAP = 2;
    static final int CONFIG = 3;
    static final int NEEDED_NO_MORE = 4;
    /** Nothing waits for it, and it may take its time to succeed. */
    static final int RENEWAL = 5;

    static final int REMOVE_BOOTSTRAP = 0;
    static final int REMOVE_OTHERS = 1;
    static final int REMOVE_TOKENS = 2;
    static final int REMOVE_FINALIZER = 3;

    private Stage() {}

    static int of(SecretRole role) {
        return role == SecretRole.BOOTSTRAP ? BOOTSTRAP : BEFORE_BOOTSTRAP;
    }
}
