package io.osmhub.core.bootstrap;

import io.osmhub.core.model.Sha256;
import io.osmhub.core.settings.PemBundle;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Nodes join with one certificate authority and get another as the cluster's; fingerprints of their first certificates.
 *
 * @param joining of cluster-info
 * @param given of the settings or the kubeconfig
 */
public record CertificateAuthorityMismatch(String joining, String given) {
    private static final int DIGITS = 16;

    /** Compares two PEM texts. Returns null if they share a certificate, or if one has no readable certificate. */
    public static @Nullable CertificateAuthorityMismatch find(String joining, String given) {
        if (joining.equals(given)) {
            return null;
        }
        Set<String> ofClusterInfo = fingerprints(joining);
        Set<String> ofNodes = fingerprints(given);
        return ofClusterInfo.isEmpty() || ofNodes.isEmpty() || !Collections.disjoint(ofClusterInfo, ofNodes)
                ? null
                : new CertificateAuthorityMismatch(
                        ofClusterInfo.iterator().next(), ofNodes.iterator().next());
    }

    /**
     * The first digits of the SHA-256 fingerprint of each certificate, in the order of the text; empty if the text has
     * no readable certificate.
     */
    private static Set<String> fingerprints(String pem) {
        Set<String> fingerprints = new LinkedHashSet<>();
        try {
            for (X509Certificate certificate : PemBundle.certificates(pem)) {
                fingerprints.add(
                        "sha256:" + Sha256.hex(certificate.getEncoded()).substring(0, DIGITS));
            }
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException("every certificate that was read has an encoding", e);
        }
        return fingerprints;
    }
}
