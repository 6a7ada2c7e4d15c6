package io.osmhub.core.bootstrap;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.model.Sensitive;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A token with which the machines of one MachineDeployment fetch what they start from, and nothing else: of a ServiceAccount of their
 * own. What is told here is what the token says of itself. Nobody verified it, so it decides when the next one is asked for, and nothing
 * besides.
 *
 * @param account name of the ServiceAccount, in {@link ObjectNames#SETTINGS_NAMESPACE}
 * @param accountUid of the ServiceAccount; with another one of the same name the token is void
 */
public record FetchToken(Sensitive text, String account, String accountUid, Instant issued, Instant expiration) {
    /** Key in the bootstrap secret beside the user-data: what the user-data holds, so that it is known after a restart. */
    public static final String SECRET_KEY = "fetch-token";

    /** Asked for; the API server may grant another one. docs/adr/0006 says why. */
    public static final Duration LIFE = Duration.ofHours(4);

    private static final Pattern TOKEN =
            Pattern.compile("eyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}");
    /** Shorter ones cannot hold a token. */
    private static final Pattern ENCODED = Pattern.compile("[A-Za-z0-9+/]{120,}+={0,2}");

    private static final String SUBJECT = "system:serviceaccount:" + ObjectNames.SETTINGS_NAMESPACE + ":";
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Year 9999; a number beyond is no time. */
    private static final long LATEST = 253_402_300_799L;

    /** Null for anything but a token of a ServiceAccount of that namespace that ends. */
    public static @Nullable FetchToken read(@Nullable Sensitive text) {
        String[] parts = text == null ? new String[0] : text.reveal().split("\\.", -1);
        if (text == null || parts.length != 3) {
            return null;
        }
        try {
            JsonNode claims = JSON.readTree(Base64.getUrlDecoder().decode(parts[1]));
            String subject = claims.path("sub").asText("");
            Instant end = time(claims.path("exp"));
            Instant begin = time(claims.path("iat"));
            if (!subject.startsWith(SUBJECT) || end == null) {
                return null;
            }
            JsonNode account = claims.path("kubernetes.io").path("serviceaccount");
            return new FetchToken(
                    text,
                    subject.substring(SUBJECT.length()),
                    account.path("uid").asText(""),
                    begin == null ? end.minus(LIFE) : begin,
                    end);
        } catch (IOException | IllegalArgumentException e) {
            // Three parts, but no JSON Web Token.
            return null;
        }
    }

    private static @Nullable Instant time(JsonNode seconds) {
        double value = seconds.isNumber() ? seconds.asDouble() : 0;
        return value > 0 && value <= LATEST ? Instant.ofEpochSecond((long) value) : null;
    }

    /**
     * A text with this token in place of each other one of the same account, also where the text has parts in base64, as documents for
     * machines have.
     */
    public String inPlaceOfEarlier(String document) {
        String plain = TOKEN.matcher(document).replaceAll(match -> {
            FetchToken earlier = read(new Sensitive(match.group()));
            return earlier != null && earlier.account().equals(account) ? text.reveal() : match.group();
        });
        return ENCODED.matcher(plain).replaceAll(match -> {
            String decoded;
            try {
                decoded = new String(Base64.getDecoder().decode(match.group()), ISO_8859_1);
            } catch (IllegalArgumentException e) {
                // It only looks like base64.
                return match.group();
            }
            String swapped = inPlaceOfEarlier(decoded);
            return swapped.equals(decoded)
                    ? match.group()
                    : Base64.getEncoder().encodeToString(swapped.getBytes(ISO_8859_1));
        });
    }

    /** The life that it was granted. */
    public Duration life() {
        return Duration.between(issued, expiration);
    }
}
