package io.osmhub.api.admission;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;

/**
 * An admission request of an API server.
 *
 * @param apiVersion of the AdmissionReview, repeated in the response
 * @param uid of the request
 * @param operation as sent by the API server, for example {@code CREATE}
 * @param user {@code userInfo} of the request
 * @param object proposed state; missing or null for a deletion
 * @param oldObject stored state; missing or null for a creation
 * @param timeout how long the API server waits for the response
 */
record AdmissionRequest(
        String apiVersion,
        String uid,
        String operation,
        JsonNode user,
        JsonNode object,
        JsonNode oldObject,
        Duration timeout) {
    static final String CREATE = "CREATE";
    static final String UPDATE = "UPDATE";
    static final String DELETE = "DELETE";

    boolean isUpdate() {
        return operation.equals(UPDATE);
    }

    /** Whether the object is being deleted: only its finalizers remain, and nothing may block that. */
    boolean isDeleting() {
        return object.path("metadata").hasNonNull("deletionTimestamp");
    }

    /** Omits the objects, which may contain anything. */
    @Override
    public String toString() {
        return operation + " " + uid;
    }
}
