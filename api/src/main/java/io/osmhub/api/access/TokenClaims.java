package io.osmhub.api.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.util.Base64;

/** The unverified claims of a JSON Web Token. */
final class TokenClaims {
    private static final ObjectMapper JSON = new ObjectMapper();

    private TokenClaims() {}

    /** A missing node if the text is not a JSON Web Token. */
    static JsonNode read(String token) {
        String[] parts = token.split("\\.", -1);
        if (parts.length != 3) {
            return MissingNode.getInstance();
        }
        try {
            return JSON.readTree(Base64.getUrlDecoder().decode(parts[1]));
        } catch (IllegalArgumentException | IOException notJson) {
            return MissingNode.getInstance();
        }
    }

    /** Whether the claims name this issuer and this audience, which is one text or a list. */
    static boolean isFor(JsonNode claims, String issuer, String audience) {
        JsonNode audiences = claims.path("aud");
        boolean named = audiences.isTextual()
                ? audiences.asText().equals(audience)
                : audiences.valueStream().anyMatch(each -> each.asText().equals(audience));
        return claims.path("iss").asText().equals(issuer) && named;
    }
}
