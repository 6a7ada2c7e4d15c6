package io.osmhub.core.template.functions;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/** Reads the arguments of a call, whose types the engine has checked, and creates results that are charged to the budget. */
final class SprigArguments {
    /** Approximate memory of one element of a list or one value of a map. */
    static final int SLOT_BYTES = 32;

    private static final int CHARS_PER_STEP = 16;
    private static final int COMPARISONS_PER_STEP = 128;

    private SprigArguments() {}

    static String bytes(List<GoValue> arguments, int index) {
        return ((GoString) arguments.get(index)).bytes();
    }

    static long integer(List<GoValue> arguments, int index) {
        return ((GoInt) arguments.get(index)).value();
    }

    static boolean bool(List<GoValue> arguments, int index) {
        return ((GoBool) arguments.get(index)).value();
    }

    static GoMap map(List<GoValue> arguments, int index) {
        return (GoMap) arguments.get(index);
    }

    /** The arguments after the first {@code count}. */
    static List<GoValue> rest(List<GoValue> arguments, int count) {
        return arguments.subList(count, arguments.size());
    }

    /** Charges for a text of that length before it is created. */
    static void chargeText(ExecutionEnvironment environment, long chars) {
        environment.charge(1 + chars / CHARS_PER_STEP, chars);
    }

    /** Charges for reading a text of that length. */
    static void chargeReading(ExecutionEnvironment environment, long chars) {
        environment.charge(1 + chars / CHARS_PER_STEP, 0);
    }

    /** Charges for searching a text for another; in the worst case they are compared at each position. */
    static void chargeSearch(ExecutionEnvironment environment, String subject, String needle) {
        chargeReading(environment, subject.length());
        environment.charge((long) subject.length() * needle.length() / COMPARISONS_PER_STEP, 0);
    }

    /** Charges for a list or map of that many elements before it is created. */
    static void chargeSlots(ExecutionEnvironment environment, long count) {
        long bounded = Math.min(count, Long.MAX_VALUE / (2 * SLOT_BYTES));
        environment.charge(1 + bounded, bounded * SLOT_BYTES);
    }

    /** A {@code string} with its charge. */
    static GoString text(ExecutionEnvironment environment, String bytes) {
        chargeText(environment, bytes.length());
        return GoString.ofBytes(bytes);
    }

    /** A {@code []string}; its elements can be sorted in place. */
    static GoSlice strings(ExecutionEnvironment environment, List<String> texts) {
        chargeSlots(environment, texts.size());
        List<GoValue> items = new ArrayList<>(texts.size());
        long chars = 0;
        for (String text : texts) {
            chars += text.length();
            items.add(GoString.ofBytes(text));
        }
        chargeText(environment, chars);
        return new GoSlice(GoType.STRINGS, items);
    }

    /** Converts strings to byte arrays and back, and base64 with Go's tolerance and messages. */
    static final class ByteStrings {
        private static final byte[] SEXTETS = sextets();

        static byte[] of(GoValue string) {
            return ((GoString) string).bytes().getBytes(ISO_8859_1);
        }

        static GoString string(byte[] bytes) {
            return GoString.ofBytes(new String(bytes, ISO_8859_1));
        }

        static GoString encodeBase64(byte[] bytes) {
            return GoString.ofBytes(Base64.getEncoder().encodeToString(bytes));
        }

        private static byte[] sextets() {
            byte[] sextets = new byte[256];
            Arrays.fill(sextets, (byte) -1);
            String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
            for (int i = 0; i < alphabet.length(); i++) {
                sextets[alphabet.charAt(i)] = (byte) i;
            }
            return sextets;
        }

        /**
         * Decodes padded base64 of the standard alphabet. As in Go, line breaks are skipped anywhere and unused low bits ignored.
         *
         * @throws GoCallException with Go's offset
         */
        static byte[] decodeBase64(String text) throws GoCallException {
            ByteArrayOutputStream out = new ByteArrayOutputStream(text.length() * 3 / 4);
            int bits = 0;
            int digits = 0;
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c == '\n' || c == '\r') {
                    continue;
                }
                if (c == '=') {
                    finish(text, i, digits, bits, out);
                    return out.toByteArray();
                }
                if (c > 255 || SEXTETS[c] < 0) {
                    throw illegal(i);
                }
                bits = bits << 6 | SEXTETS[c];
                if (++digits == 4) {
                    out.write(bits >> 16);
                    out.write(bits >> 8);
                    out.write(bits);
                    bits = 0;
                    digits = 0;
                }
            }
            if (digits > 0) {
                throw illegal(text.length() - digits);
            }
            return out.toByteArray();
        }

        /** Handles the padding that begins at {@code at}, after {@code digits} digits of a group. */
        private static void finish(String text, int at, int digits, int bits, ByteArrayOutputStream out)
                throws GoCallException {
            if (digits < 2) {
                throw illegal(at);
            }
            int next = skipLineBreaks(text, at + 1);
            if (digits == 2) {
                if (next == text.length()) {
                    throw illegal(text.length());
                }
                if (text.charAt(next) != '=') {
                    throw illegal(next - 1);
                }
                next = skipLineBreaks(text, next + 1);
                out.write(bits >> 4);
            } else {
                out.write(bits >> 10);
                out.write(bits >> 2);
            }
            if (next < text.length()) {
                throw illegal(next);
            }
        }

        private static int skipLineBreaks(String text, int from) {
            int at = from;
            while (at < text.length() && (text.charAt(at) == '\n' || text.charAt(at) == '\r')) {
                at++;
            }
            return at;
        }

        private static GoCallException illegal(int offset) {
            return new GoCallException("illegal base64 data at input byte " + offset);
        }
    }
}
