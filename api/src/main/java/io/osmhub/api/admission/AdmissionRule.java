package io.osmhub.api.admission;

/** Decides admission requests for one kind. Runs on a virtual thread and may block. Thread-safe. */
@FunctionalInterface
interface AdmissionRule {
    AdmissionResponse review(AdmissionRequest review);
}
