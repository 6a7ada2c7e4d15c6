package io.osmhub.core.bootstrap;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.osmhub.core.model.Sensitive;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A token of a MachineDeployment's own ServiceAccount, which can only fetch the configuration of its machines. The
 * claims are read without verifying the signature, so they may only decide when to request the next token.
 *
 * @param account name of the ServiceAccount, in {@link ObjectNames#SETTINGS_NAMESPACE}
 * @param accountUid of the ServiceAccount; the token is invalid for a recreated one
 */
public record FetchToken(Sensitive text, String account, String accountUid, Instant issued, Instant expiration) {
    /** Key in the bootstrap secret with a copy of the token in the user-data, so that it is known after a restart. */
    public static final String SECRET_KEY = "fetch-token";

    /** Requested lifetime; the API server may grant another. See docs/adr/0006. */
    public static final Duration LIFE = Duration.ofHours(4);

    private static final Pattern TOKEN =
            Pattern.compile("eyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}");
    /** Shorter ones cannot hold a token. */
    private static final Pattern ENCODED = Pattern.compile("[A-Za-z0-9+/]{120,}={0,2}");

    private static final String SUBJECT = "system:serviceaccount:" + ObjectNames.SETTINGS_NAMESPACE + ":";
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Year 9999; larger numbers are not valid times. */
    private static final long LATEST = 253_402_300_799L;

    /** Null unless it is an expiring token of a ServiceAccount in that namespace. */
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
            // Three parts, but not a JSON Web Token.
            return null;
        }
    }

    private static @Nullable Instant time(JsonNode seconds) {
        double value = seconds.isNumber() ? seconds.asDouble() : 0;
        return value > 0 && value <= LATEST ? Instant.ofEpochSecond((long) value) : null;
    }

    /**
     * The document with this token in place of every other token of the same account, also inside base64 parts, which
     * documents for machines have.
     */
    public String replaceEarlierToken(String document) {
        String plain = replaceEach(TOKEN, document, match -> {
            FetchToken earlier = read(new Sensitive(match));
            return earlier != null && earlier.account().equals(account) ? text.reveal() : match;
        });
        return replaceEach(ENCODED, plain, match -> {
            String decoded;
            try {
                decoded = new String(Base64.getDecoder().decode(match), ISO_8859_1);
            } catch (IllegalArgumentException e) {
                // It only resembles base64.
                return match;
            }
            String swapped = replaceEarlierToken(decoded);
            return swapped.equals(decoded) ? match : Base64.getEncoder().encodeToString(swapped.getBytes(ISO_8859_1));
        });
    }

    private static String replaceEach(Pattern pattern, String text, UnaryOperator<String> replacement) {
        Matcher matcher = pattern.matcher(text);
        StringBuilder replaced = new StringBuilder(text.length());
        while (matcher.find()) {
            matcher.appendReplacement(replaced, Matcher.quoteReplacement(replacement.apply(matcher.group())));
        }
        return matcher.appendTail(replaced).toString();
    }

    /** The granted lifetime. */
    public Duration lifetime() {
        return Duration.between(issued, expiration);
    }
}
