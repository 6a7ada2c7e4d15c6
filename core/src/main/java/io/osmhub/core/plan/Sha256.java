package io.osmhub.core.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 in lower-case hex. */
final class Sha256 {
    private Sha256() {}

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is not available", e);
        }
    }

    static String hexOf(String text) {
        return hexOf(text.getBytes(UTF_8));
    }

    static String hexOf(byte[] bytes) {
        return HexFormat.of().formatHex(sha256().digest(bytes));
    }
}
