package io.osmhub.sim.machines;

import java.net.URLDecoder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a machine finds in its user-data once everything that is encoded in it has been decoded: cloud-config's base64 and Ignition's data URLs. */
final class DecodedUserData {
    private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/]{24,}={0,2}");
    private static final Pattern DATA_URL = Pattern.compile("data:[^,\"\\s]*,([^\"\\s]*)");
    private static final int MAX_DEPTH = 4;

    private final List<String> texts = new ArrayList<>();

    private DecodedUserData() {}

    /** Decodes a whole user-data text. */
    static DecodedUserData of(String text) {
        DecodedUserData found = new DecodedUserData();
        found.collect(text, 0);
        return found;
    }

    /** Whether it begins like cloud-config, a script or Ignition. */
    static boolean isKnownFormat(String text) {
        String start = text.stripLeading();
        return start.startsWith("#cloud-config")
                || start.startsWith("#!")
                || (start.startsWith("{") && text.contains("\"ignition\""));
    }

    /** The first match of a pattern's first group in any decoded part. */
    Optional<String> find(Pattern pattern) {
        for (String text : texts) {
            Matcher matcher = pattern.matcher(text);
            if (matcher.find()) {
                return Optional.of(matcher.group(1));
            }
        }
        return Optional.empty();
    }

    private void collect(String text, int depth) {
        texts.add(text);
        if (depth == MAX_DEPTH) {
            return;
        }
        Matcher base64 = BASE64.matcher(text);
        while (base64.find()) {
            decode(base64.group()).ifPresent(decoded -> collect(decoded, depth + 1));
        }
        Matcher url = DATA_URL.matcher(text);
        while (url.find()) {
            String plain = URLDecoder.decode(url.group(1).replace("+", "%2B"), StandardCharsets.UTF_8);
            collect(plain, depth + 1);
        }
    }

    // Much that looks like base64 is not; what does not decode to text is left alone.
    private static Optional<String> decode(String candidate) {
        try {
            byte[] bytes = Base64.getDecoder().decode(candidate);
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(java.nio.ByteBuffer.wrap(bytes))
                    .toString());
        } catch (IllegalArgumentException | CharacterCodingException notText) {
            return Optional.empty();
        }
    }
}
