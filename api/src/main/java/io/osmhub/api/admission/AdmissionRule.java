package io.osmhub.api.admission;

/** Answers the questions about one kind. Runs on a virtual thread and may wait; safe for use by many threads. */
@FunctionalInterface
interface AdmissionRule {
    Answer answer(Review review);
}
