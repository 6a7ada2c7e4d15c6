package io.osmhub.api.certificate;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A certificate, those that lead to its authority, and its private key. */
record KeyedCertificate(List<X509Certificate> chain, PrivateKey key) {
    private static final byte[] PROBE = "does the key fit".getBytes(UTF_8);

    KeyedCertificate {
        chain = List.copyOf(chain);
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("a key without a certificate");
        }
    }

    /**
     * Reads a pair.
     *
     * @throws GeneralSecurityException when one of them cannot be read or they do not belong together
     */
    static KeyedCertificate read(String certificates, String key) throws GeneralSecurityException {
        KeyedCertificate read = new KeyedCertificate(Pem.certificates(certificates), Pem.key(key));
        read.requireFit();
        return read;
    }

    private void requireFit() throws GeneralSecurityException {
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
            throw new GeneralSecurityException("the private key is not the certificate's");
        }
    }

    X509Certificate certificate() {
        return chain.getFirst();
    }

    Instant begins() {
        return certificate().getNotBefore().toInstant();
    }

    Instant ends() {
        return certificate().getNotAfter().toInstant();
    }

    /** The moment at which a part of its life is over. */
    Instant at(double part) {
        Duration life = Duration.between(begins(), ends());
        return begins().plusMillis((long) (life.toMillis() * part));
    }

    /** Without the key. */
    @Override
    public String toString() {
        return certificate().getSubjectX500Principal() + " until " + ends();
    }
}
