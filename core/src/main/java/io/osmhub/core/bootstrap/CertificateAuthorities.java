package io.osmhub.core.bootstrap;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Set;

/** Tells certificate authorities apart. */
public final class CertificateAuthorities {
    private static final int DIGITS = 16;

    private CertificateAuthorities() {}

    /**
     * The first digits of the SHA-256 fingerprint of each certificate, in the order of the text.
     *
     * @param pem what cannot be read as certificates has none
     */
    public static Set<String> fingerprints(String pem) {
        Set<String> fingerprints = new LinkedHashSet<>();
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            for (Certificate certificate : CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem.getBytes(UTF_8)))) {
                String digest = HexFormat.of().formatHex(sha256.digest(certificate.getEncoded()));
                fingerprints.add("sha256:" + digest.substring(0, DIGITS));
            }
        } catch (CertificateException unreadable) {
            return Set.of();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
        return fingerprints;
    }
}
