package io.osmhub.api.paging;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The place of a page. Says which query it belongs to, which result it was cut from, and what that result held, so that another
 * process can go on if it has the very same rows. Nothing in it is trusted: what a caller may see is asked for each page.
 *
 * @param query fingerprint of everything that decides which rows come in which order
 * @param result the result it was cut from, in the process that made it
 * @param rows fingerprint of that result's rows in their order
 * @param offset rows before the page
 * @param shown the query for people, cut
 */
record Cursor(long query, long result, long rows, int offset, String shown) {
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

    /** Null when the text is no cursor. */
    static @Nullable Cursor of(String text) {
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
            return offset < 0 ? null : new Cursor(query, result, rows, offset, shown);
        } catch (IllegalArgumentException | BufferUnderflowException e) {
            // Whatever it was, it is none of ours.
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
