package io.osmhub.api.preview;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.RequestError;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.tenancy.catalog.ProposedProfileLister;
import io.osmhub.tenancy.catalog.StoredProfile;
import java.util.List;

/** Reads request bodies. No message quotes them: an unapplied object may contain anything. */
final class RequestBodyReader {
    static final String PROFILE = "OperatingSystemProfile";

    private RequestBodyReader() {}

    static <T> T read(JsonNode body, Class<T> type) throws ApiProblem {
        try {
            return ApiJson.server().treeToValue(body, type);
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw ApiProblem.badRequest(RequestError.body("", "the body violates the contract", "see /openapi.yaml"));
        }
    }

    static ApiProblem invalidBody(String pointer, String what, String cure) {
        return ApiProblem.validationFailed(List.of(RequestError.body(pointer, what, cure)));
    }

    /** @param pointer of the object in the body */
    static StoredProfile profile(JsonNode object, String pointer) throws ApiProblem {
        String kind = object.path("kind").asText(PROFILE);
        if (!kind.equals(PROFILE)) {
            throw invalidBody(pointer + "/kind", "it is not an " + PROFILE, "provide one as for kubectl apply");
        }
        StoredProfile profile = ProposedProfileLister.read(object);
        if (profile.content() == null) {
            throw ApiProblem.validationFailed(profile.mistakes().stream()
                    .map(finding -> mistake(pointer, finding))
                    .toList());
        }
        return profile;
    }

    static RequestError mistake(String pointer, ProblemFinding finding) {
        return RequestError.body(pointer, finding.what(), finding.cure()).withField(finding.field());
    }
}
