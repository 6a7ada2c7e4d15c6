package io.osmhub.tenancy.certificate;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.StringReader;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMException;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;

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

    /** Host names, then addresses, for which it is valid; empty if they cannot be read. */
    List<String> names() {
        try {
            Collection<List<?>> names = certificate().getSubjectAlternativeNames();
            return names == null
                    ? List.of()
                    : names.stream()
                            // 2 is a DNS name, 7 an address.
                            .filter(name -> List.of(2, 7).contains(name.getFirst()))
                            .sorted(Comparator.comparing(name -> (Integer) name.getFirst()))
                            .map(name -> (String) name.getLast())
                            .toList();
        } catch (CertificateParsingException e) {
            return List.of();
        }
    }

    /** Omits the key. */
    @Override
    public String toString() {
        return certificate().getSubjectX500Principal() + " until " + notAfter();
    }

    /** PEM encoding of certificates and keys. No error message quotes the text. */
    static final class CertificatePem {
        private CertificatePem() {}

        static String encode(Collection<X509Certificate> certificates) {
            StringBuilder text = new StringBuilder();
            for (X509Certificate certificate : certificates) {
                try {
                    text.append(encode("CERTIFICATE", certificate.getEncoded()));
                } catch (CertificateEncodingException e) {
                    throw new IllegalStateException("every certificate here was decoded or signed", e);
                }
            }
            return text.toString();
        }

        /** PKCS#8, which every reader of {@code kubernetes.io/tls} accepts. */
        static String encode(PrivateKey key) {
            return encode("PRIVATE KEY", key.getEncoded());
        }

        private static String encode(String type, byte[] content) {
            return "-----BEGIN " + type + "-----\n"
                    + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content)
                    + "\n-----END " + type + "-----\n";
        }

        /**
         * All certificates of a text, in order.
         *
         * @throws GeneralSecurityException if there is none, or one cannot be read
         */
        static List<X509Certificate> readCertificates(String text) throws GeneralSecurityException {
            List<X509Certificate> certificates = new ArrayList<>();
            JcaX509CertificateConverter converter = new JcaX509CertificateConverter();
            for (Object object : objects(text)) {
                if (object instanceof X509CertificateHolder holder) {
                    certificates.add(converter.getCertificate(holder));
                }
            }
            if (certificates.isEmpty()) {
                throw new GeneralSecurityException("it contains no certificate");
            }
            return certificates;
        }

        /** The first private key of a text: PKCS#8, PKCS#1 or SEC1, unencrypted. */
        static PrivateKey readKey(String text) throws GeneralSecurityException {
            JcaPEMKeyConverter converter = new JcaPEMKeyConverter();
            try {
                for (Object object : objects(text)) {
                    if (object instanceof PEMKeyPair pair) {
                        return converter.getPrivateKey(pair.getPrivateKeyInfo());
                    }
                    if (object instanceof PrivateKeyInfo info) {
                        return converter.getPrivateKey(info);
                    }
                }
            } catch (PEMException e) {
                throw new GeneralSecurityException("the private key cannot be read", e);
            }
            throw new GeneralSecurityException("it contains no unencrypted private key");
        }

        private static List<Object> objects(String text) throws GeneralSecurityException {
            List<Object> objects = new ArrayList<>();
            try (PEMParser parser = new PEMParser(new StringReader(text))) {
                for (Object object = parser.readObject(); object != null; object = parser.readObject()) {
                    objects.add(object);
                }
            } catch (IOException | IllegalArgumentException | IllegalStateException e) {
                throw new GeneralSecurityException("it is not PEM", e);
            }
            return objects;
        }
    }
}
