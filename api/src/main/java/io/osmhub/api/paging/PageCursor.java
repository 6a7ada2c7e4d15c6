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
 * A page's position: directly after or before the sort key of a row. Its text also contains the query. Untrusted: the page contains only
 * what its reader may see, no matter to whom the cursor was issued.
 */
public final class PageCursor {
    /** The first page. */
    static final PageCursor START = new PageCursor(false, new Object[0]);
    /** The last page. */
    static final PageCursor END = new PageCursor(true, new Object[0]);

    private static final String AFTER = "after";
    private static final String BEFORE = "before";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LONGEST_SHOWN = 200;
    private static final int CHECK_DIGITS = 8;
    /** Parts of a text before the key. */
    private static final int HEAD = 3;

    private final boolean isBefore;
    private final @Nullable Object[] key;

    private PageCursor(boolean isBefore, @Nullable Object[] key) {
        this.isBefore = isBefore;
        this.key = key;
    }

    /** Directly after a row. */
    public static PageCursor after(@Nullable Object[] key) {
        return new PageCursor(false, key);
    }

    static PageCursor before(@Nullable Object[] key) {
        return new PageCursor(true, key);
    }

    /** Whether the page ends at this position instead of beginning there. */
    public boolean isBefore() {
        return isBefore;
    }

    /** Whether this is {@link #START} or {@link #END}. */
    public boolean isEdge() {
        return key.length == 0;
    }

    /** Values of the sort fields; empty at an edge. Not to be changed. */
    public @Nullable Object[] key() {
        return key;
    }

    /**
     * The text of this cursor.
     *
     * @param shown readable query
     */
    public String write(String shown) {
        ArrayNode parts = JSON.createArrayNode();
        parts.add(checksum(shown)).add(cut(shown)).add(isBefore ? BEFORE : AFTER);
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
     * The cursor of a text.
     *
     * @param size of a key
     * @throws ApiProblem bad request if the text is not a cursor or belongs to another query
     */
    public static PageCursor read(String cursor, String shown, int size) throws ApiProblem {
        JsonNode parts = parse(cursor);
        if (parts == null) {
            throw ApiProblem.badRequest(RequestError.query(
                    "continue", "not a valid cursor of a list", "leave it out to begin with the first page"));
        }
        int values = parts.size() - HEAD;
        if (!parts.path(0).asText().equals(checksum(shown)) || values != 0 && values != size) {
            RequestError mistake = RequestError.query(
                    "continue",
                    "it was issued for " + parts.path(1).asText(),
                    "repeat the parameters of the first page");
            throw ApiProblem.of(ProblemType.BAD_REQUEST, "continue belongs to another query", List.of(mistake));
        }
        @Nullable Object[] key = new Object[values];
        for (int i = 0; i < values; i++) {
            JsonNode value = parts.path(i + HEAD);
            if (!value.isNull()) {
                key[i] = value.isIntegralNumber() ? Long.valueOf(value.longValue()) : value.asText();
            }
        }
        return new PageCursor(parts.path(2).asText().equals(BEFORE), key);
    }

    /** Null if the text is not a cursor. */
    private static @Nullable JsonNode parse(String cursor) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(cursor), UTF_8);
            if (text.length() <= CHECK_DIGITS || !text.startsWith(checksum(text.substring(CHECK_DIGITS)))) {
                return null;
            }
            JsonNode parts = JSON.readTree(text.substring(CHECK_DIGITS));
            return parts.isArray() && parts.size() >= HEAD ? parts : null;
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
