package io.osmhub.api.admission;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.tenancy.wire.WireJson;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.Set;

/** AdmissionReviews as they come and go over the wire. */
final class ReviewJson {
    private static final Set<String> VERSIONS = Set.of("admission.k8s.io/v1", "admission.k8s.io/v1beta1");
    private static final int LONGEST_WORD = 64;
    private static final int LONGEST_UID = 128;

    private ReviewJson() {}

    /** Something that is no question. Its message quotes nothing of it. */
    static final class NoReview extends Exception {
        private static final long serialVersionUID = 1L;

        NoReview(String message) {
            super(message, null, false, false);
        }
    }

    static Review read(byte[] body, Duration patience) throws NoReview {
        JsonNode review;
        try {
            review = WireJson.read(body);
        } catch (IOException e) {
            throw new NoReview("the body is not JSON");
        }
        if (!review.path("kind").asText().equals("AdmissionReview")) {
            throw new NoReview("the body is not an AdmissionReview");
        }
        String version = review.path("apiVersion").asText();
        if (!VERSIONS.contains(version)) {
            throw new NoReview("apiVersion of the AdmissionReview: admission.k8s.io/v1 and v1beta1 are known");
        }
        JsonNode request = review.path("request");
        String uid = request.path("uid").asText();
        String operation = request.path("operation").asText();
        if (!request.isObject() || uid.isEmpty() || uid.length() > LONGEST_UID) {
            throw new NoReview("the AdmissionReview has no request with a uid");
        }
        if (operation.isEmpty() || operation.length() > LONGEST_WORD) {
            throw new NoReview("the AdmissionReview's request has no operation");
        }
        return new Review(
                version,
                uid,
                operation,
                request.path("userInfo"),
                request.path("object"),
                request.path("oldObject"),
                patience);
    }

    static byte[] write(Review review, Answer answer) {
        return write(review.apiVersion(), review.uid(), answer);
    }

    /** For what was no question: in the newest form, about nothing. */
    static byte[] write(Answer answer) {
        return write("admission.k8s.io/v1", "", answer);
    }

    private static byte[] write(String apiVersion, String uid, Answer answer) {
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
}
