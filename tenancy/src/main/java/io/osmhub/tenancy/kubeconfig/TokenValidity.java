package io.osmhub.tenancy.kubeconfig;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Instant;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Validity period of a token, if it contains one, as the JSON Web Tokens of service accounts do. Not verified, because the API
 * server decides; used only for warnings.
 */
record TokenValidity(@Nullable Instant from, @Nullable Instant until) {
    private static final TokenValidity UNKNOWN = new TokenValidity(null, null);
    private static final ObjectMapper JSON = new ObjectMapper();
    // Year 9999; larger numbers are invalid.
    private static final long LATEST = 253_402_300_799L;

    static TokenValidity of(String token) {
        String[] parts = token.split("\\.", -1);
        if (parts.length != 3) {
            return UNKNOWN;
        }
        try {
            JsonNode claims = JSON.readTree(Base64.getUrlDecoder().decode(parts[1]));
            Instant begins = time(claims, "nbf");
            return new TokenValidity(begins == null ? time(claims, "iat") : begins, time(claims, "exp"));
        } catch (IOException | IllegalArgumentException e) {
            // Three parts, but not a JSON Web Token.
            return UNKNOWN;
        }
    }

    private static @Nullable Instant time(JsonNode claims, String name) {
        double seconds = claims.path(name).isNumber() ? claims.path(name).asDouble() : 0;
        return seconds > 0 && seconds <= LATEST ? Instant.ofEpochSecond((long) seconds) : null;
    }
}
