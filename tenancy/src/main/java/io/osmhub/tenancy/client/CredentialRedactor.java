package io.osmhub.tenancy.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.model.Sensitive;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Removes a credential from a server's text, including parts of it and its base64 encoding. */
final class CredentialRedactor {
    /** Parts of at least this length are removed; shorter ones reveal too little, and would match ordinary words. */
    private static final int SHORTEST_PART = 8;

    private CredentialRedactor() {}

    static String redact(String text, Sensitive credential) {
        List<String> forms = forms(credential.reveal());
        StringBuilder redacted = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            int end = end(text, at, forms);
            if (end == at) {
                redacted.append(text.charAt(at++));
            } else {
                redacted.append(credential);
                at = end;
            }
        }
        return redacted.toString();
    }

    /** End of the longest part of a form that starts at a position; the position itself if none does. */
    private static int end(String text, int from, List<String> forms) {
        int longest = from;
        for (String form : forms) {
            int end = from + Math.min(SHORTEST_PART, form.length());
            while (end <= text.length() && form.contains(text.substring(from, end))) {
                longest = Math.max(longest, end++);
            }
        }
        return longest;
    }

    /** Plain, and in both base64 alphabets at every offset: only the length modulo 3 of the preceding text matters. */
    private static List<String> forms(String credential) {
        List<String> forms = new ArrayList<>();
        forms.add(credential);
        if (credential.length() < SHORTEST_PART) {
            return forms;
        }
        byte[] bytes = credential.getBytes(UTF_8);
        for (int before = 0; before < 3; before++) {
            byte[] shifted = new byte[before + bytes.length];
            System.arraycopy(bytes, 0, shifted, before, bytes.length);
            for (Base64.Encoder encoder : List.of(Base64.getEncoder(), Base64.getUrlEncoder())) {
                // The first characters contain bits of the preceding text.
                forms.add(encoder.withoutPadding().encodeToString(shifted).substring((before * 8 + 5) / 6));
            }
        }
        return forms;
    }
}
