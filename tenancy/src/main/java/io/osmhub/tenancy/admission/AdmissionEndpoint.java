package io.osmhub.tenancy.admission;

import org.jspecify.annotations.Nullable;

/** Where worker clusters reach the hub's webhooks, and the CA to trust. Thread-safe. */
public interface AdmissionEndpoint {
    /** The hub serves no webhooks for worker clusters. */
    AdmissionEndpoint NONE = new AdmissionEndpoint() {
        @Override
        public @Nullable String url() {
            return null;
        }

        @Override
        public @Nullable String authorities() {
            return null;
        }

        @Override
        public void addChangeListener(Runnable task) {
            // Never changes.
        }
    };

    /** https URL without a trailing slash; null if worker clusters cannot reach the hub. */
    @Nullable String url();

    /** PEM; empty if API servers trust the certificate already; null while there is none, so that nothing is installed. */
    @Nullable String authorities();

    /** The task is called when the authorities change; must not block. */
    void addChangeListener(Runnable task);
}
