package io.osmhub.api.certificate;

import io.vertx.core.net.KeyCertOptions;

/** The certificate that a server of the hub shows, which may change while it runs. Safe for use by many threads. */
public interface ServingCertificate {
    /** The chain and its key as they are now. */
    KeyCertOptions current();

    /** Runs the task after each change; on any thread. */
    void onChange(Runnable task);
}
