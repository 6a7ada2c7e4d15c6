package io.osmhub.api.admission;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.tenancy.management.WireJson;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.Set;

/** AdmissionReview encoding. */
final class AdmissionReviewJson {
    private static final Set<String> VERSIONS = Set.of("admission.k8s.io/v1", "admission.k8s.io/v1beta1");
    private static final int LONGEST_WORD = 64;
    private static final int LONGEST_UID = 128;

    private AdmissionReviewJson() {}

    /** Not a valid AdmissionReview. Its message quotes none of its content. */
    static final class InvalidReviewException extends Exception {
        private static final long serialVersionUID = 1L;

        InvalidReviewException(String message) {
            super(message, null, false, false);
        }
    }

    static AdmissionRequest read(byte[] body, Duration patience) throws InvalidReviewException {
        JsonNode review;
        try {
            review = WireJson.read(body);
        } catch (IOException e) {
            throw new InvalidReviewException("the body is not JSON");
        }
        if (!review.path("kind").asText().equals("AdmissionReview")) {
            throw new InvalidReviewException("the body is not an AdmissionReview");
        }
        String version = review.path("apiVersion").asText();
        if (!VERSIONS.contains(version)) {
            throw new InvalidReviewException(
                    "apiVersion of the AdmissionReview: expected admission.k8s.io/v1 or v1beta1");
        }
        JsonNode request = review.path("request");
        String uid = request.path("uid").asText();
        String operation = request.path("operation").asText();
        if (!request.isObject() || uid.isEmpty() || uid.length() > LONGEST_UID) {
            throw new InvalidReviewException("the AdmissionReview has no request with a uid");
        }
        if (operation.isEmpty() || operation.length() > LONGEST_WORD) {
            throw new InvalidReviewException("the AdmissionReview's request has no operation");
        }
        return new AdmissionRequest(
                version,
                uid,
                operation,
                request.path("userInfo"),
                request.path("object"),
                request.path("oldObject"),
                patience);
    }

    static byte[] write(AdmissionRequest review, AdmissionResponse answer) {
        return write(review.apiVersion(), review.uid(), answer);
    }

    /** Response to an invalid review: newest version, empty uid. */
    static byte[] write(AdmissionResponse answer) {
        return write("", answer);
    }

    /** Response to a review of which only the uid is read. */
    static byte[] write(String uid, AdmissionResponse answer) {
        return write("admission.k8s.io/v1", uid, answer);
    }

    private static byte[] write(String apiVersion, String uid, AdmissionResponse answer) {
        ObjectNode json = WireJson.object();
        json.put("apiVersion", apiVersion).put("kind", "AdmissionReview");
        ObjectNode response = json.putObject("response").put("uid", uid).put("allowed", answer.allowed());
        ObjectNode status = response.putObject("status");
        status.putObject("metadata");
        if (!answer.message().isEmpty()) {
            status.put("message", answer.message());
        }
        if (!answer.reason().isEmpty()) {
            status.put("reason", answer.reason());
        }
        status.put("code", answer.code());
        if (answer.patch() != null && !answer.patch().isEmpty()) {
            response.put(
                    "patch",
                    Base64.getEncoder()
                            .encodeToString(WireJson.text(answer.patch()).getBytes(UTF_8)));
            response.put("patchType", "JSONPatch");
        }
        if (!answer.warnings().isEmpty()) {
            answer.warnings().forEach(response.withArray("warnings")::add);
        }
        return WireJson.text(json).getBytes(UTF_8);
    }

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
}
