package io.osmhub.core.emit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.golang.GoValue.GoString;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;

/** Converts between Java text and Go strings, which hold one byte in each char, where neither has to be valid. */
public final class Utf8Bytes {
    private static final char REPLACEMENT = 0xFFFD;
    private static final char INVALID_BYTE = 0xDC80;

    private Utf8Bytes() {}

    /** Java text of the bytes, in which half a surrogate pair stands for each byte that is not valid UTF-8. */
    public static String decode(String bytes) {
        String text = GoString.text(bytes);
        if (text.indexOf(REPLACEMENT) < 0) {
            return text;
        }
        CharsetDecoder decoder = UTF_8.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(bytes.getBytes(ISO_8859_1));
        CharBuffer out = CharBuffer.allocate(bytes.length());
        while (decoder.decode(in, out, true).isMalformed()) {
            in.get(); // Go replaces byte by byte, Java whole sequences.
            out.put(INVALID_BYTE);
        }
        return out.flip().toString();
    }

    /** Whether Java text is complete, so that it can be written as UTF-8. */
    public static boolean isValid(String text) {
        // No stream: every text of a rendering passes here.
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i)) && isSurrogate(text.codePointAt(i++))) {
                return false;
            }
        }
        return true;
    }

    /** The bytes of Java text; as in Go, half a surrogate pair becomes U+FFFD. */
    public static String encode(String text) {
        return GoString.bytes(isValid(text) ? text : replaceSurrogates(text));
    }

    /** Java text with U+FFFD for each half of a surrogate pair. */
    public static String replaceSurrogates(String text) {
        StringBuilder valid = new StringBuilder(text.length());
        text.codePoints().forEach(c -> valid.appendCodePoint(isSurrogate(c) ? REPLACEMENT : c));
        return valid.toString();
    }

    private static boolean isSurrogate(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }
}
