package io.osmhub.core.bootstrap;

import io.osmhub.core.settings.PemBundle;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compares certificate authorities. */
public final class CertificateAuthorityMatcher {
    private static final int DIGITS = 16;

    private CertificateAuthorityMatcher() {}

    /**
     * Nodes join with one certificate authority and get another as the cluster's; fingerprints of their first certificates.
     *
     * @param joining of cluster-info
     * @param given of the settings or the kubeconfig
     */
    public record Mismatch(String joining, String given) {}

    /** Compares two PEM texts. Returns null if they share a certificate, or if one has no readable certificate. */
    public static @Nullable Mismatch findMismatch(String joining, String given) {
        if (joining.equals(given)) {
            return null;
        }
        Set<String> ofClusterInfo = fingerprints(joining);
        Set<String> ofNodes = fingerprints(given);
        return ofClusterInfo.isEmpty() || ofNodes.isEmpty() || !Collections.disjoint(ofClusterInfo, ofNodes)
                ? null
                : new Mismatch(
                        ofClusterInfo.iterator().next(), ofNodes.iterator().next());
    }

    /**
     * The first digits of the SHA-256 fingerprint of each certificate, in the order of the text; empty if the text has
     * no readable certificate.
     */
    private static Set<String> fingerprints(String pem) {
        Set<String> fingerprints = new LinkedHashSet<>();
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            for (X509Certificate certificate : PemBundle.certificates(pem)) {
                String digest = HexFormat.of().formatHex(sha256.digest(certificate.getEncoded()));
                fingerprints.add("sha256:" + digest.substring(0, DIGITS));
            }
        } catch (NoSuchAlgorithmException | CertificateEncodingException e) {
            throw new IllegalStateException(
                    "every Java runtime has SHA-256, and every certificate that was read an encoding", e);
        }
        return fingerprints;
    }
}
