package io.osmhub.api.console;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A rendered document for display: embedded base64 files are decoded in place and marked. */
final class ReadableText {
    /** The placeholder of a redacted credential. */
    static final Pattern REDACTED = Pattern.compile("<redacted:([a-z-]{1,40})>");

    private static final Pattern ENCODED = Pattern.compile("(\\s*)([A-Za-z0-9+/]{8,}={0,2})\\s*");
    private static final Pattern SAYS_ENCODED = Pattern.compile("\\s*encoding:\\s*['\"]?(b64|base64)['\"]?\\s*");
    /** Maximum distance in lines between the encoding and its content. */
    private static final int NEAR = 3;

    /** One line; notes are added by the console. */
    record Line(String text, boolean note) {}

    private ReadableText() {}

    static List<Line> lines(String document) {
        List<Line> lines = new ArrayList<>();
        int said = -NEAR - 1;
        List<String> all = document.lines().toList();
        for (int at = 0; at < all.size(); at++) {
            String line = all.get(at);
            if (SAYS_ENCODED.matcher(line).matches()) {
                said = at;
            }
            Matcher encoded = ENCODED.matcher(line);
            Optional<String> text =
                    at - said <= NEAR && encoded.matches() ? decoded(encoded.group(2)) : Optional.empty();
            if (text.isPresent()) {
                lines.add(new Line(encoded.group(1) + "decoded from base64", true));
                text.get().lines().forEach(each -> lines.add(new Line(encoded.group(1) + each, false)));
            } else {
                lines.add(new Line(line, false));
            }
        }
        return lines;
    }

    /** Text only: non-UTF-8 content stays encoded. */
    private static Optional<String> decoded(String base64) {
        try {
            byte[] bytes = Base64.getDecoder().decode(base64);
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.indexOf('\u0000') >= 0 ? Optional.empty() : Optional.of(text);
        } catch (IllegalArgumentException | CharacterCodingException notText) {
            return Optional.empty();
        }
    }
}
