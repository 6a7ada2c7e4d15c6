package io.osmhub.core.template.functions;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.zip.Adler32;
import org.bouncycastle.util.encoders.Base32;

/** Base64, base32 and checksums of a text's bytes. A decoding error's text is returned as the result, as in sprig. */
final class Encodings {
    private static final String BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

    private Encodings() {}

    static void addTo(FunctionRegistry.Builder functions) {
        functions.text("b64enc", text -> Base64.getEncoder().encodeToString(text.getBytes(ISO_8859_1)));
        functions.text("b64dec", Encodings::decodeBase64);
        functions.text("b32enc", text -> Base32.toBase32String(text.getBytes(ISO_8859_1)));
        functions.text("b32dec", text -> decodeBase32(text.replace("\r", "").replace("\n", "")));
        functions.text("sha1sum", text -> sum("SHA-1", text));
        functions.text("sha256sum", text -> sum("SHA-256", text));
        functions.text("sha512sum", text -> sum("SHA-512", text));
        functions.text("adler32sum", text -> {
            Adler32 sum = new Adler32();
            sum.update(text.getBytes(ISO_8859_1));
            return Long.toString(sum.getValue());
        });
    }

    private static String sum(String algorithm, String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(text.getBytes(ISO_8859_1)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has " + algorithm, e);
        }
    }

    /** Decodes padded base64. As in Go, line breaks are skipped anywhere, unused low bits ignored, and errors name Go's offset. */
    private static String decodeBase64(String text) {
        StringBuilder out = new StringBuilder(text.length() * 3 / 4);
        int bits = 0;
        int digits = 0;
        for (int i = skipLineBreaks(text, 0); i < text.length(); i = skipLineBreaks(text, i + 1)) {
            if (text.charAt(i) == '=' && digits >= 2) {
                int end = skipLineBreaks(text, i + 1);
                if (digits == 2 && (end == text.length() || text.charAt(end) != '=')) {
                    return illegal("base64", end == text.length() ? end : end - 1);
                }
                end = digits == 2 ? skipLineBreaks(text, end + 1) : end;
                return end < text.length()
                        ? illegal("base64", end)
                        : appendBytes(out, bits, digits * 6).toString();
            }
            int digit = BASE64.indexOf(text.charAt(i));
            if (digit < 0) {
                return illegal("base64", i);
            }
            bits = bits << 6 | digit;
            if (++digits == 4) {
                appendBytes(out, bits, 24);
                bits = 0;
                digits = 0;
            }
        }
        return digits > 0 ? illegal("base64", text.length() - digits) : out.toString();
    }

    private static int skipLineBreaks(String text, int from) {
        int at = from;
        while (at < text.length() && (text.charAt(at) == '\n' || text.charAt(at) == '\r')) {
            at++;
        }
        return at;
    }

    private static String decodeBase32(String text) {
        StringBuilder out = new StringBuilder(text.length() / 8 * 5 + 5);
        long bits = 0;
        int digits = 0;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '=' && digits >= 2 && text.length() - i <= 8) {
                int wrong = wrongPadding(text, i, digits);
                return wrong >= 0
                        ? illegal("base32", wrong)
                        : appendBytes(out, bits, digits * 5).toString();
            }
            int digit = BASE32.indexOf(text.charAt(i));
            if (digit < 0) {
                return illegal("base32", i);
            }
            bits = bits << 5 | digit;
            if (++digits == 8) {
                appendBytes(out, bits, 40);
                bits = 0;
                digits = 0;
            }
        }
        return digits > 0 ? illegal("base32", text.length() - digits) : out.toString();
    }

    /** Go's offset of an error in the padding that begins at {@code start}, after some digits of a group; -1 if there is none. */
    private static int wrongPadding(String text, int start, int digits) {
        int end = start + 8 - digits;
        if (text.length() < end) {
            return text.length();
        }
        for (int i = start + 1; i < end; i++) {
            if (text.charAt(i) != '=') {
                return i - 1;
            }
        }
        return digits == 3 || digits == 6 ? start : -1;
    }

    /** Appends the whole bytes of the lowest {@code count} bits. */
    private static StringBuilder appendBytes(StringBuilder out, long bits, int count) {
        for (int shift = count - 8; shift >= 0; shift -= 8) {
            out.append((char) (bits >> shift & 0xFF));
        }
        return out;
    }

    private static String illegal(String encoding, int position) {
        return "illegal " + encoding + " data at input byte " + position;
    }
}
