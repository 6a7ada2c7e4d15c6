package io.osmhub.tenancy.kubeconfig;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Instant;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * When a token is valid, as far as it says so itself. Service account tokens are JSON Web Tokens and do. Nothing is verified:
 * the API server decides, this only tells when to warn.
 */
record TokenLife(@Nullable Instant from, @Nullable Instant until) {
    private static final TokenLife UNKNOWN = new TokenLife(null, null);
    private static final ObjectMapper JSON = new ObjectMapper();
    // Year 9999; a number beyond is no time.
    private static final long LATEST = 253_402_300_799L;

    static TokenLife of(String token) {
        String[] parts = token.split("\\.", -1);
        if (parts.length != 3) {
            return UNKNOWN;
        }
        try {
            JsonNode claims = JSON.readTree(Base64.getUrlDecoder().decode(parts[1]));
            Instant begins = time(claims, "nbf");
            return new TokenLife(begins == null ? time(claims, "iat") : begins, time(claims, "exp"));
        } catch (JsonProcessingException | IllegalArgumentException e) {
            // Three parts, but no JSON Web Token.
            return UNKNOWN;
        } catch (IOException e) {
            throw new IllegalStateException("bytes in memory cannot fail to be read", e);
        }
    }

    private static @Nullable Instant time(@Nullable JsonNode claims, String name) {
        JsonNode value = claims == null ? null : claims.get(name);
        if (value == null || !value.isNumber()) {
            return null;
        }
        double seconds = value.asDouble();
        return seconds > 0 && seconds <= LATEST ? Instant.ofEpochSecond((long) seconds) : null;
    }
}
