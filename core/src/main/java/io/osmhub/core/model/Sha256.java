package io.osmhub.core.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 digests, as lower-case hex. */
public final class Sha256 {
    private Sha256() {}

    /** For content in several parts, or for the bytes of a digest. */
    public static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    public static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(newDigest().digest(bytes));
    }

    public static String hex(String text) {
        return hex(text.getBytes(UTF_8));
    }

    /** Only the first {@code bytes} bytes of the digest. */
    public static String hex(String text, int bytes) {
        return hex(text).substring(0, 2 * bytes);
    }
}
