package io.osmhub.api.certificate;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A certificate, its chain to the authority, and its private key. */
record CertificateKeyPair(List<X509Certificate> chain, PrivateKey key) {
    private static final byte[] PROBE = "does the key match".getBytes(UTF_8);

    CertificateKeyPair {
        chain = List.copyOf(chain);
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("private key has no certificate");
        }
    }

    /**
     * Reads a pair.
     *
     * @throws GeneralSecurityException if one cannot be read or they do not match
     */
    static CertificateKeyPair read(String certificates, String key) throws GeneralSecurityException {
        CertificateKeyPair read =
                new CertificateKeyPair(CertificatePem.readCertificates(certificates), CertificatePem.readKey(key));
        read.requireMatchingKey();
        return read;
    }

    private void requireMatchingKey() throws GeneralSecurityException {
        Signature signature = Signature.getInstance(
                switch (key.getAlgorithm()) {
                    case "EC", "ECDSA" -> "SHA256withECDSA";
                    case "RSA" -> "SHA256withRSA";
                    default -> key.getAlgorithm();
                });
        signature.initSign(key);
        signature.update(PROBE);
        byte[] signed = signature.sign();
        signature.initVerify(certificate().getPublicKey());
        signature.update(PROBE);
        if (!signature.verify(signed)) {
            throw new GeneralSecurityException("the private key does not match the certificate");
        }
    }

    X509Certificate certificate() {
        return chain.getFirst();
    }

    Instant notBefore() {
        return certificate().getNotBefore().toInstant();
    }

    Instant notAfter() {
        return certificate().getNotAfter().toInstant();
    }

    /** The time at which this fraction of its validity has passed. */
    Instant instantAtFraction(double part) {
        Duration life = Duration.between(notBefore(), notAfter());
        return notBefore().plusMillis((long) (life.toMillis() * part));
    }

    /** Omits the key. */
    @Override
    public String toString() {
        return certificate().getSubjectX500Principal() + " until " + notAfter();
    }
}
