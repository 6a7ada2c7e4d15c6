package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.GoCallException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** One block of PEM text: its type, for example {@code RSA PRIVATE KEY}, and its content. */
record SprigPemBlock(String type, byte[] content) {
    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";
    private static final String DASHES = "-----";
    private static final int LINE = 64;

    /** The first whole block in {@code text}; null if none. */
    static @Nullable SprigPemBlock first(String text) {
        int at = 0;
        while (at < text.length()) {
            int end = endOfLine(text, at);
            String line = text.substring(at, end).stripTrailing();
            at = end + 1;
            if (isBegin(line)) {
                String type = line.substring(BEGIN.length(), line.length() - DASHES.length());
                SprigPemBlock block = block(text, at, type);
                if (block != null) {
                    return block;
                }
            }
        }
        return null;
    }

    /** The block whose lines start at {@code from}: headers with colons, an empty line after them, base64, and the end. */
    private static @Nullable SprigPemBlock block(String text, int from, String type) {
        StringBuilder body = new StringBuilder();
        int at = from;
        while (at < text.length()) {
            int end = endOfLine(text, at);
            String line = text.substring(at, end).stripTrailing();
            at = end + 1;
            if (line.startsWith(END)) {
                return line.equals(END + type + DASHES) ? decoded(type, body.toString()) : null;
            }
            // Invalid base64 inside a block anyway; continuing would read the rest once for each beginning.
            if (isBegin(line) || line.indexOf(':') >= 0 && !body.isEmpty()) {
                return null;
            }
            if (line.indexOf(':') < 0) {
                body.append(line.replace(" ", "").replace("\t", ""));
            }
        }
        return null;
    }

    private static boolean isBegin(String line) {
        return line.startsWith(BEGIN) && line.endsWith(DASHES) && line.length() >= BEGIN.length() + DASHES.length();
    }

    private static @Nullable SprigPemBlock decoded(String type, String body) {
        try {
            return new SprigPemBlock(type, ByteStrings.decodeBase64(body));
        } catch (GoCallException notBase64) {
            // Text that only resembles a block is skipped, so that a later block is found.
            return null;
        }
    }

    private static int endOfLine(String text, int from) {
        int end = text.indexOf('\n', from);
        return end < 0 ? text.length() : end;
    }

    /** The block as text, in lines of 64 characters. */
    String text() {
        String body = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(content);
        return BEGIN + type + DASHES + "\n" + body + (body.isEmpty() ? "" : "\n") + END + type + DASHES + "\n";
    }
}
