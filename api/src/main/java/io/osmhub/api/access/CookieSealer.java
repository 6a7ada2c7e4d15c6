package io.osmhub.api.access;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.osmhub.api.problem.ApiProblem;
import io.osmhub.tenancy.certificate.SessionKeys;
import io.osmhub.tenancy.certificate.SessionKeys.SessionKey;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Seals the values of cookies with AES-256-GCM and the keys that all replicas share. What is sealed for one purpose cannot be opened
 * for another. Thread-safe.
 *
 * <pre>
 *   version, key id, nonce | content, tag        as URL-safe Base64
 * </pre>
 */
final class CookieSealer {
    /** Browsers accept 4,096 bytes for name, value and attributes. */
    static final int LONGEST = 3_900;

    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final byte VERSION = 1;
    private static final int KEY_ID_BYTES = 4;
    private static final int NONCE_BYTES = 12;
    private static final int HEADER_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES;
    private static final int TAG_BITS = 128;

    private final SessionKeys sessionKeys;
    private final byte[] purpose;
    private final SecureRandom random = new SecureRandom();

    CookieSealer(SessionKeys sessionKeys, String purpose) {
        this.sessionKeys = sessionKeys;
        this.purpose = purpose.getBytes(US_ASCII);
    }

    /** @throws ApiProblem while the keys are being loaded, because other replicas could not open what this key seals */
    void requireKeys() throws ApiProblem {
        if (sessionKeys.isLoading()) {
            throw ApiProblem.unavailable(
                    "the hub is loading its session keys; wait 1 s and reload the page", Duration.ofSeconds(1));
        }
    }

    /** May be longer than {@link #LONGEST}. */
    String seal(byte[] content) {
        SessionKey key = sessionKeys.sealing();
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        byte[] header = ByteBuffer.allocate(HEADER_BYTES)
                .put(VERSION)
                .put(HexFormat.of().parseHex(key.id()))
                .put(nonce)
                .array();
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, key, header).doFinal(content);
            byte[] all = Arrays.copyOf(header, header.length + sealed.length);
            System.arraycopy(sealed, 0, all, header.length, sealed.length);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(all);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JDK has no AES-256-GCM", e);
        }
    }

    /** The content; empty if it was not sealed for this purpose by a replica of this hub. */
    Optional<byte[]> open(String sealed) {
        if (sealed.length() > LONGEST) {
            return Optional.empty();
        }
        try {
            byte[] all = Base64.getUrlDecoder().decode(sealed);
            if (all.length <= HEADER_BYTES || all[0] != VERSION) {
                return Optional.empty();
            }
            byte[] header = Arrays.copyOf(all, HEADER_BYTES);
            Optional<SessionKey> key = sessionKeys.find(HexFormat.of().formatHex(header, 1, 1 + KEY_ID_BYTES));
            return key.isEmpty()
                    ? Optional.empty()
                    : Optional.of(cipher(Cipher.DECRYPT_MODE, key.get(), header)
                            .doFinal(all, HEADER_BYTES, all.length - HEADER_BYTES));
        } catch (GeneralSecurityException | IllegalArgumentException notSealed) {
            return Optional.empty();
        }
    }

    private Cipher cipher(int mode, SessionKey key, byte[] header) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(mode, key.key(), new GCMParameterSpec(TAG_BITS, header, HEADER_BYTES - NONCE_BYTES, NONCE_BYTES));
        cipher.updateAAD(purpose);
        cipher.updateAAD(header);
        return cipher;
    }
}
