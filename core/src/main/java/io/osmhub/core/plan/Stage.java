package io.osmhub.core.plan;

/**
 * The order of writes. What a later one relies on is there before it: the finalizer before anything that it has to clean up, a
 * token before what embeds it, all that a machine asks for before the bootstrap secret that makes it start. The
 * OperatingSystemConfig comes last, because nothing waits for it. What goes, goes in the opposite order.
 */
final class Stage {
    static final int FINALIZER = 0;
    static final int TOKEN = 1;
    static final int BEFORE_BOOTSTRAP = 2;
    static final int BOOTSTRAP = 3;
    static final int CONFIG = 4;
    static final int NEEDED_NO_MORE = 5;
    /** Nothing waits for it, and it may take its time to succeed. */
    static final int RENEWAL = 6;

    static final int REMOVE_BOOTSTRAP = 0;
    static final int REMOVE_OTHERS = 1;
    static final int REMOVE_TOKENS = 2;
    static final int REMOVE_FINALIZER = 3;

    private Stage() {}

    static int of(SecretRole role) {
        return role == SecretRole.BOOTSTRAP ? BOOTSTRAP : BEFORE_BOOTSTRAP;
    }
}
