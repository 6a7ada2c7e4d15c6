package io.osmhub.sim.objects;

import io.osmhub.sim.status.ApiError;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Where the next page of a list begins: behind this key, as of this revision. */
record ContinueToken(long revision, String key) {
    String text() {
        String plain = revision + "/" + key;
        return Base64.getUrlEncoder().withoutPadding().encodeToString(plain.getBytes(StandardCharsets.UTF_8));
    }

    static ContinueToken read(String text) {
        try {
            String plain = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
            int slash = plain.indexOf('/');
            return new ContinueToken(Long.parseLong(plain.substring(0, slash)), plain.substring(slash + 1));
        } catch (IllegalArgumentException | StringIndexOutOfBoundsException malformed) {
            throw ApiError.badRequest("continue key is not valid: " + malformed.getMessage());
        }
    }
}
