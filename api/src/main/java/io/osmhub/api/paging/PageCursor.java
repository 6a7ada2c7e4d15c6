package io.osmhub.api.paging;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.ProblemType;
import io.osmhub.api.problem.RequestError;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Text of a page's position: its query and the sort key of the row before the page. Untrusted: the page contains only what its reader
 * may see, no matter to whom the cursor was issued.
 */
final class PageCursor {
    /** Key of the position before all rows. */
    static final @Nullable Object[] START = {};

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LONGEST_SHOWN = 200;
    private static final int CHECK_DIGITS = 8;

    private PageCursor() {}

    /** @param shown readable query */
    static String write(String shown, @Nullable Object[] key) {
        ArrayNode parts = JSON.createArrayNode();
        parts.add(checksum(shown)).add(cut(shown));
        for (Object value : key) {
            parts.addPOJO(value);
        }
        try {
            String text = JSON.writeValueAsString(parts);
            return Base64.getUrlEncoder().withoutPadding().encodeToString((checksum(text) + text).getBytes(UTF_8));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("texts and numbers can be written", e);
        }
    }

    /**
     * The key of a cursor.
     *
     * @param size of a key that is not {@link #START}
     * @throws ApiProblem bad request if the text is not a cursor or belongs to another query
     */
    static @Nullable Object[] read(String cursor, String shown, int size) throws ApiProblem {
        JsonNode parts = parse(cursor);
        if (parts == null) {
            throw ApiProblem.badRequest(RequestError.query(
                    "continue", "not a valid cursor of a list", "leave it out to begin with the first page"));
        }
        int values = parts.size() - 2;
        if (!parts.path(0).asText().equals(checksum(shown)) || values != 0 && values != size) {
            RequestError mistake = RequestError.query(
                    "continue",
                    "it was issued for " + parts.path(1).asText(),
                    "repeat the parameters of the first page");
            throw ApiProblem.of(ProblemType.BAD_REQUEST, "continue belongs to another query", List.of(mistake));
        }
        @Nullable Object[] key = new Object[values];
        for (int i = 0; i < values; i++) {
            JsonNode value = parts.path(i + 2);
            if (!value.isNull()) {
                key[i] = value.isIntegralNumber() ? Long.valueOf(value.longValue()) : value.asText();
            }
        }
        return key;
    }

    /** Null if the text is not a cursor. */
    private static @Nullable JsonNode parse(String cursor) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(cursor), UTF_8);
            if (text.length() <= CHECK_DIGITS || !text.startsWith(checksum(text.substring(CHECK_DIGITS)))) {
                return null;
            }
            JsonNode parts = JSON.readTree(text.substring(CHECK_DIGITS));
            return parts.isArray() && parts.size() >= 2 ? parts : null;
        } catch (IllegalArgumentException | JsonProcessingException e) {
            // Not a cursor of this hub.
            return null;
        }
    }

    private static String checksum(String text) {
        CRC32 sum = new CRC32();
        sum.update(text.getBytes(UTF_8));
        return HexFormat.of().toHexDigits((int) sum.getValue());
    }

    private static String cut(String text) {
        return text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN);
    }
}
