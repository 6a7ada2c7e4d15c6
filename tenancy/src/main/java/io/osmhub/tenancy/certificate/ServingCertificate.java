package io.osmhub.tenancy.certificate;

import io.vertx.core.net.KeyCertOptions;

/** The certificate of a server of the hub; may change at runtime. Thread-safe. */
public interface ServingCertificate {
    /** Always the current chain and key, so servers need not be updated. */
    KeyCertOptions current();

    /**
     * What verifies the certificate of another replica, PEM: the current chain, because replicas share it, and known authorities,
     * because one of them may have renewed it already. Empty before the first certificate.
     */
    String trusted();

    /** A host name or address in the current certificate; empty if it has none. */
    String serverName();

    /** Runs the task after each change, on any thread. */
    void onChange(Runnable task);
}
