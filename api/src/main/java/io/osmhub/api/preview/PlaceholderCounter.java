package io.osmhub.api.preview;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Counts the placeholders in a document, for any encoding of its files. */
final class PlaceholderCounter {
    /** Cloud-init accepts file content as text or base64, Ignition as URL escapes. */
    private static final Pattern OPENING = Pattern.compile("<redacted:|%3[Cc]redacted(?::|%3[Aa])");

    private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/]{16,}={0,2}");

    private PlaceholderCounter() {}

    static int count(String document) {
        int count = (int) OPENING.matcher(document).results().count();
        Matcher encoded = BASE64.matcher(document);
        while (encoded.find()) {
            String text = encoded.group();
            // Anything other than complete base64 is just a long word.
            if (text.length() % 4 == 0) {
                count += (int) OPENING.matcher(new String(Base64.getDecoder().decode(text), ISO_8859_1))
                        .results()
                        .count();
            }
        }
        return count;
    }
}
