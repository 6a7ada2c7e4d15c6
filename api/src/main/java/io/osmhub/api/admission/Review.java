package io.osmhub.api.admission;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;

/**
 * What an API server asks: may this be stored?
 *
 * @param apiVersion of the AdmissionReview, which the answer repeats
 * @param uid of the question
 * @param operation in the API server's words, for example {@code CREATE}
 * @param user {@code userInfo} of the request: the user who wants it stored
 * @param object as it is to be stored; missing or null for a deletion
 * @param oldObject as it is stored; missing or null for a creation
 * @param patience how long the API server waits for the answer
 */
record Review(
        String apiVersion,
        String uid,
        String operation,
        JsonNode user,
        JsonNode object,
        JsonNode oldObject,
        Duration patience) {
    static final String CREATE = "CREATE";
    static final String UPDATE = "UPDATE";
    static final String DELETE = "DELETE";

    boolean isUpdate() {
        return operation.equals(UPDATE);
    }

    /** Whether somebody has asked to delete the object: it is only finished now, and nothing may hold that up. */
    boolean isOfDeleted() {
        return object.path("metadata").hasNonNull("deletionTimestamp");
    }

    /** Without the objects, which may hold anything. */
    @Override
    public String toString() {
        return operation + " " + uid;
    }
}
