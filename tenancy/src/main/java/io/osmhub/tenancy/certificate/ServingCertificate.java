package io.osmhub.tenancy.certificate;

import io.vertx.core.net.KeyCertOptions;

/** The certificate of a server of the hub; may change at runtime. Thread-safe. */
public interface ServingCertificate {
    /** The current chain and key. */
    KeyCertOptions current();

    /** Runs the task after each change, on any thread. */
    void onChange(Runnable task);
}
