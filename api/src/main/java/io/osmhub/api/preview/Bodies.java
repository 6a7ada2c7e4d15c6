package io.osmhub.api.preview;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.Mistake;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.core.problem.Finding;
import io.osmhub.tenancy.catalog.ProposedProfiles;
import io.osmhub.tenancy.catalog.StoredProfile;
import java.util.List;

/** Reads what a request brings along. No message quotes it: an object that nobody has applied may hold anything. */
final class Bodies {
    static final String PROFILE = "OperatingSystemProfile";

    private Bodies() {}

    static <T> T read(JsonNode body, Class<T> type) throws ApiProblem {
        try {
            return ApiJson.server().treeToValue(body, type);
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw ApiProblem.badRequest(
                    Mistake.body("", "the body does not have the form of the contract", "see /openapi.yaml"));
        }
    }

    static ApiProblem wrong(String pointer, String what, String cure) {
        return ApiProblem.validationFailed(List.of(Mistake.body(pointer, what, cure)));
    }

    /** @param pointer of the object in the body */
    static StoredProfile profile(JsonNode object, String pointer) throws ApiProblem {
        String kind = object.path("kind").asText(PROFILE);
        if (!kind.equals(PROFILE)) {
            throw wrong(pointer + "/kind", "it is not an " + PROFILE, "give one as applied with kubectl");
        }
        StoredProfile profile = ProposedProfiles.read(object);
        if (profile.content() == null) {
            throw ApiProblem.validationFailed(profile.mistakes().stream()
                    .map(finding -> mistake(pointer, finding))
                    .toList());
        }
        return profile;
    }

    static Mistake mistake(String pointer, Finding finding) {
        return Mistake.body(pointer, finding.what(), finding.cure()).at(finding.field());
    }
}
