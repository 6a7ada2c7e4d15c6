package io.osmhub.core.template.functions;

import static io.osmhub.core.template.functions.SprigArguments.bytes;
import static io.osmhub.core.template.functions.SprigArguments.text;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.osmhub.core.emit.json.GoJson;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.template.functions.SprigArguments.ByteStrings;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.Adler32;

/** Base64, base32, checksums and JSON. A decoding error's text is returned as the result. */
final class EncodingFunctions {
    private static final String SIGNATURE = "func(string) string";
    private static final String BASE32_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

    /** Bytes hashed per step of the budget. */
    private static final int BYTES_PER_STEP = 64;

    private EncodingFunctions() {}

    static void addTo(FunctionRegistry.Builder registry) {
        registry.addCode("b64enc", SIGNATURE, (environment, arguments) -> {
            byte[] plain = bytes(arguments, 0).getBytes(ISO_8859_1);
            SprigArguments.chargeText(environment, plain.length);
            return text(environment, Base64.getEncoder().encodeToString(plain));
        });
        registry.addCode(
                "b64dec", SIGNATURE, (environment, arguments) -> text(environment, decodeBase64(bytes(arguments, 0))));
        registry.addCode(
                "b32enc", SIGNATURE, (environment, arguments) -> text(environment, encodeBase32(bytes(arguments, 0))));
        registry.addCode(
                "b32dec",
                SIGNATURE,
                (environment, arguments) -> text(
                        environment,
                        decodeBase32(bytes(arguments, 0).replace("\r", "").replace("\n", ""))));
        String signature = "func(string) string";
        registry.addCode("sha1sum", signature, (env, args) -> hex(env, args, "SHA-1"));
        registry.addCode("sha256sum", signature, (env, args) -> hex(env, args, "SHA-256"));
        registry.addCode("sha512sum", signature, (env, args) -> hex(env, args, "SHA-512"));
        registry.addCode("adler32sum", signature, EncodingFunctions::adler32);

        // OSM replaces toJson and fromJson.
        forgiving(registry, "toJson", GoJson::encode);
        forgiving(registry, "toPrettyJson", GoJson::encodeIndented);
        for (String name : List.of("toRawJson", "mustToRawJson")) {
            strict(registry, name, GoJson::encodeRaw);
        }
        strict(registry, "mustToJson", GoJson::encode);
        strict(registry, "mustToPrettyJson", GoJson::encodeIndented);
        registry.addCode(
                "mustFromJson",
                "func(string) (interface {}, error)",
                (environment, arguments) -> GoJson.decode(bytes(arguments, 0), environment));
        registry.addCode("fromJson", "func(string) interface {}", (environment, arguments) -> {
            try {
                return GoJson.decode(bytes(arguments, 0), environment);
            } catch (GoCallException unreadable) {
                return GoNil.ANY;
            }
        });
    }

    private static String decodeBase64(String encoded) {
        try {
            return new String(ByteStrings.decodeBase64(encoded), ISO_8859_1);
        } catch (GoCallException illegal) {
            return illegal.text();
        }
    }

    private static String encodeBase32(String plain) {
        StringBuilder encoded = new StringBuilder((plain.length() + 4) / 5 * 8);
        long bits = 0;
        int count = 0;
        for (int i = 0; i < plain.length(); i++) {
            bits = bits << 8 | plain.charAt(i);
            count += 8;
            while (count >= 5) {
                count -= 5;
                encoded.append(BASE32_ALPHABET.charAt((int) (bits >> count & 31)));
            }
        }
        if (count > 0) {
            encoded.append(BASE32_ALPHABET.charAt((int) (bits << (5 - count) & 31)));
        }
        return encoded.append("=".repeat((8 - encoded.length() % 8) % 8)).toString();
    }

    private static String decodeBase32(String encoded) {
        StringBuilder decoded = new StringBuilder(encoded.length() / 8 * 5 + 5);
        long bits = 0;
        int count = 0;
        for (int i = 0; i < encoded.length(); i++) {
            char c = encoded.charAt(i);
            int rest = encoded.length() - i - 1;
            if (c == '=' && count >= 2 && rest < 8) {
                return paddedBase32(encoded, i, bits, count, decoded);
            }
            int digit = c >= 'A' && c <= 'Z' ? c - 'A' : c >= '2' && c <= '7' ? c - '2' + 26 : -1;
            if (digit < 0) {
                return illegal(i);
            }
            bits = bits << 5 | digit;
            count++;
            if (count == 8) {
                appendBytes(decoded, bits, 5);
                bits = 0;
                count = 0;
            }
        }
        return count == 0 ? decoded.toString() : illegal(encoded.length() - count);
    }

    private static String paddedBase32(String encoded, int position, long bits, int count, StringBuilder decoded) {
        int rest = encoded.length() - position - 1;
        int wanted = 7 - count;
        if (rest < wanted) {
            return illegal(encoded.length());
        }
        for (int i = 0; i < wanted; i++) {
            if (encoded.charAt(position + 1 + i) != '=') {
                return illegal(position + i);
            }
        }
        if (count == 3 || count == 6) {
            return illegal(position);
        }
        int whole = count * 5 / 8;
        return appendBytes(decoded, bits >> (count * 5 - whole * 8), whole).toString();
    }

    private static StringBuilder appendBytes(StringBuilder to, long bits, int count) {
        for (int i = count - 1; i >= 0; i--) {
            to.append((char) (bits >> (8 * i) & 0xFF));
        }
        return to;
    }

    private static String illegal(int position) {
        return "illegal base32 data at input byte " + position;
    }

    private static GoValue hex(ExecutionEnvironment environment, List<GoValue> arguments, String algorithm) {
        byte[] input = input(environment, arguments);
        try {
            byte[] sum = MessageDigest.getInstance(algorithm).digest(input);
            return GoString.ofBytes(HexFormat.of().formatHex(sum));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("" + algorithm + " is not available", e);
        }
    }

    private static GoValue adler32(ExecutionEnvironment environment, List<GoValue> arguments) {
        Adler32 sum = new Adler32();
        sum.update(input(environment, arguments));
        return GoString.ofBytes(Long.toString(sum.getValue()));
    }

    private static byte[] input(ExecutionEnvironment environment, List<GoValue> arguments) {
        String text = ((GoString) arguments.getFirst()).bytes();
        environment.charge(text.length() / BYTES_PER_STEP, text.length());
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @FunctionalInterface
    private interface Encoder {
        String encode(GoValue value, ExecutionEnvironment environment) throws GoCallException;
    }

    /** The lenient variant returns an empty text for values that cannot be encoded. */
    private static void forgiving(FunctionRegistry.Builder registry, String name, Encoder encoder) {
        registry.addCode(name, "func(interface {}) string", (environment, arguments) -> {
            try {
                return GoString.ofBytes(encoder.encode(arguments.getFirst(), environment));
            } catch (GoCallException unwritable) {
                return GoString.EMPTY;
            }
        });
    }

    private static void strict(FunctionRegistry.Builder registry, String name, Encoder encoder) {
        registry.addCode(
                name,
                "func(interface {}) (string, error)",
                (environment, arguments) -> GoString.ofBytes(encoder.encode(arguments.getFirst(), environment)));
    }
}
