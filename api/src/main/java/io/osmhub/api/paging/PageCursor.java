package io.osmhub.api.paging;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Position of a page: its query, the result it was cut from, and a fingerprint of that result's rows, so that another process with
 * equal rows can continue. Untrusted: permissions are checked for each page.
 *
 * @param query fingerprint of everything that determines the rows and their order
 * @param result id of the result, in the process that computed it
 * @param rows fingerprint of the result's rows in order
 * @param offset rows before the page
 * @param shown readable query, truncated
 */
record PageCursor(long query, long result, long rows, int offset, String shown) {
    private static final byte FORM = 1;
    private static final int LONGEST_SHOWN = 400;
    private static final int HEAD = 1 + 3 * Long.BYTES + 2 * Integer.BYTES;

    String text() {
        byte[] words = cut(shown).getBytes(UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(HEAD + words.length);
        bytes.put(FORM)
                .putLong(query)
                .putLong(result)
                .putLong(rows)
                .putInt(offset)
                .put(words);
        bytes.putInt(check(bytes.array(), bytes.position()));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    /** Null if the text is not a valid cursor. */
    static @Nullable PageCursor of(String text) {
        try {
            byte[] all = Base64.getUrlDecoder().decode(text);
            ByteBuffer bytes = ByteBuffer.wrap(all);
            if (all.length < HEAD
                    || bytes.get() != FORM
                    || check(all, all.length - Integer.BYTES) != bytes.getInt(all.length - Integer.BYTES)) {
                return null;
            }
            long query = bytes.getLong();
            long result = bytes.getLong();
            long rows = bytes.getLong();
            int offset = bytes.getInt();
            String shown = new String(all, bytes.position(), bytes.remaining() - Integer.BYTES, UTF_8);
            return offset < 0 ? null : new PageCursor(query, result, rows, offset, shown);
        } catch (IllegalArgumentException | BufferUnderflowException e) {
            // Not a cursor of this hub.
            return null;
        }
    }

    private static int check(byte[] bytes, int length) {
        CRC32 check = new CRC32();
        check.update(bytes, 0, length);
        return (int) check.getValue();
    }

    private static String cut(String text) {
        return text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN);
    }
}
