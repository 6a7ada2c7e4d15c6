package io.osmhub.core.plan;

/**
 * The order of writes. An object is written before those that rely on it: a token before what embeds it, and the finalizer and all
 * that a machine requests before the bootstrap secret that makes it start. While there is no bootstrap secret, no machine makes
 * requests: what it will request is then written together with the token and the finalizer, since each stage waits for a response
 * of the API server. Objects that a crashed hub leaves without a finalizer are cleaned up. The OperatingSystemConfig comes last,
 * because nothing waits for it. Deletions run in the opposite order.
 */
final class WriteStage {
    /** Also of the finalizer. */
    static final int TOKEN = 0;

    static final int BEFORE_BOOTSTRAP = 1;
    static final int BOOTSTRAP = 2;
    static final int CONFIG = 3;
    static final int OBSOLETE = 4;
    /** Nothing waits for it, and it may take long. */
    static final int RENEWAL = 5;

    static final int REMOVE_BOOTSTRAP = 0;
    static final int REMOVE_OTHERS = 1;
    static final int REMOVE_TOKENS = 2;
    static final int REMOVE_FINALIZER = 3;

    private WriteStage() {}

    static int of(SecretRole role) {
        return role == SecretRole.BOOTSTRAP ? BOOTSTRAP : BEFORE_BOOTSTRAP;
    }
}
