package io.osmhub.api.admission;

import com.fasterxml.jackson.databind.JsonNode;

/** A configuration is never changed, only replaced: nobody could tell what a node got. Its metadata may change. */
final class OperatingSystemConfigRule implements AdmissionRule {
    @Override
    public Answer answer(Review review) {
        String request = "operatingSystemConfig validation request " + review.uid();
        return switch (review.operation()) {
            case Review.CREATE, Review.DELETE -> Answer.allowed(request + " allowed");
            case Review.UPDATE ->
                review.isOfDeleted() || isSame(review)
                        ? Answer.allowed(request + " allowed")
                        : Answer.denied(
                                request + " denied: OperatingSystemConfig is immutable and updates are not allowed");
            default -> Answer.refused(review.operation() + " not supported on osc resources");
        };
    }

    private static boolean isSame(Review review) {
        JsonNode now = review.object().path("spec");
        JsonNode before = review.oldObject().path("spec");
        return SameSpec.of(now, before)
                && now.path("cloudProvider")
                        .path("spec")
                        .equals(before.path("cloudProvider").path("spec"));
    }
}
