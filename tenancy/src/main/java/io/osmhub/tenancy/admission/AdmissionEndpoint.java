package io.osmhub.tenancy.admission;

import org.jspecify.annotations.Nullable;

/** Where worker clusters reach the hub's webhooks, and what they are to trust there. Safe for use by many threads. */
public interface AdmissionEndpoint {
    /** The hub offers no webhooks to worker clusters. */
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
        public void onChange(Runnable task) {
            // It never changes.
        }
    };

    /** https URL without a slash at its end; null when no worker cluster reaches the hub. */
    @Nullable String url();

    /** PEM; empty when API servers know them already; null while there is no certificate yet, so that nothing is installed. */
    @Nullable String authorities();

    /** Runs the task when the authorities are others; it hands over and returns. */
    void onChange(Runnable task);
}
