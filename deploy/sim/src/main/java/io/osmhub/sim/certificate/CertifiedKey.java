package io.osmhub.sim.certificate;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;

/** A private key with its certificate. */
public record CertifiedKey(PrivateKey key, X509Certificate certificate) {
    /** The certificate as PEM. */
    public String certificatePem() {
        return PemFormatter.of(certificate);
    }

    /** The key as PEM, PKCS#8. */
    public String keyPem() {
        return PemFormatter.of("PRIVATE KEY", key.getEncoded());
    }

    @Override
    public String toString() {
        return "Credential[" + certificate.getSubjectX500Principal() + "]";
    }
}
