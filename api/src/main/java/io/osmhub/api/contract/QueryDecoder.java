package io.osmhub.api.contract;

import io.osmhub.api.problem.RequestError;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Decodes percent-encoded queries and forms; rejects invalid UTF-8. */
public final class QueryDecoder {
    private static final int HEX = 16;

    private QueryDecoder() {}

    /**
     * The values of each name, in order.
     *
     * @param raw after the question mark
     * @param mistakes receives decoding errors
     */
    public static Map<String, List<String>> parse(String raw, List<RequestError> mistakes) {
        Map<String, List<String>> values = new LinkedHashMap<>();
        if (raw.isEmpty()) {
            return values;
        }
        for (String pair : raw.split("&", -1)) {
            if (pair.isEmpty()) {
                continue;
            }
            int equals = pair.indexOf('=');
            Optional<String> name = decode(equals < 0 ? pair : pair.substring(0, equals), true);
            Optional<String> value = decode(equals < 0 ? "" : pair.substring(equals + 1), true);
            if (name.isEmpty() || value.isEmpty()) {
                mistakes.add(RequestError.query(
                        name.orElse(""),
                        "the query has a % that does not start an escaped UTF-8 character",
                        "escape a percent sign as %25"));
            } else {
                values.computeIfAbsent(name.get(), n -> new ArrayList<>()).add(value.get());
            }
        }
        return values;
    }

    /** The decoded text; empty if it is invalid. */
    public static Optional<String> decode(String raw, boolean plusIsBlank) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(raw.length());
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '%') {
                boolean whole = i + 2 < raw.length();
                int high = whole ? Character.digit(raw.charAt(i + 1), HEX) : -1;
                int low = whole ? Character.digit(raw.charAt(i + 2), HEX) : -1;
                if (high < 0 || low < 0) {
                    return Optional.empty();
                }
                bytes.write(high * HEX + low);
                i += 2;
            } else if (c == '+' && plusIsBlank) {
                bytes.write(' ');
            } else {
                bytes.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
            }
        }
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
