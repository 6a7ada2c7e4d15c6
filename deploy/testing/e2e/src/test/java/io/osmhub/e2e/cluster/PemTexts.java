package io.osmhub.e2e.cluster;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Base64;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** PEM text, as far as certificates and keys of an API server need it. */
final class PemTexts {
    private static final Pattern CERTIFICATE =
            Pattern.compile("-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----\\n?", Pattern.DOTALL);

    private PemTexts() {}

    static String of(String label, byte[] der) {
        return "-----BEGIN " + label + "-----\n"
                + Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(der)
                + "\n-----END " + label + "-----\n";
    }

    /** The bytes of a text with one object. */
    static byte[] decode(String text) {
        return Base64.getMimeDecoder().decode(text.replaceAll("-----[^-]+-----", ""));
    }

    /** The certificates of a text, in its order. */
    static List<String> certificates(String text) {
        return CERTIFICATE.matcher(text).results().map(MatchResult::group).toList();
    }
}
