package io.osmhub.api.admission;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.admission.AdmissionReviewJson.AdmissionRequest;
import io.osmhub.api.admission.AdmissionRoutes.AdmissionRule;

/** Makes the spec immutable, so that it is certain what a node received. Metadata may change. */
final class OperatingSystemConfigRule implements AdmissionRule {
    @Override
    public AdmissionResponse review(AdmissionRequest review) {
        String request = "operatingSystemConfig validation request " + review.uid();
        return switch (review.operation()) {
            case AdmissionRequest.CREATE, AdmissionRequest.DELETE -> AdmissionResponse.allowed(request + " allowed");
            case AdmissionRequest.UPDATE ->
                review.isDeleting() || isSame(review)
                        ? AdmissionResponse.allowed(request + " allowed")
                        : AdmissionResponse.denied(
                                request + " denied: OperatingSystemConfig is immutable and updates are not allowed");
            default -> AdmissionResponse.malformed(review.operation() + " not supported on osc resources");
        };
    }

    private static boolean isSame(AdmissionRequest review) {
        JsonNode now = review.object().path("spec");
        JsonNode before = review.oldObject().path("spec");
        return SpecEquality.isEqual(now, before)
                && now.path("cloudProvider")
                        .path("spec")
                        .equals(before.path("cloudProvider").path("spec"));
    }
}
