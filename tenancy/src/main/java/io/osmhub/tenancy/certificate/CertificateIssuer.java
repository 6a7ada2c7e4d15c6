package io.osmhub.tenancy.certificate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Issues the hub's certificate authorities and server certificates: EC keys on P-256. */
final class CertificateIssuer {
    /** Certificates are backdated by this for callers whose clock is behind. */
    static final Duration SKEW = Duration.ofHours(1);

    private static final int SERIAL_BITS = 127;
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|.*:.*");

    private final SecureRandom random;

    @FunctionalInterface
    private interface CertificateExtensions {
        Object addTo(JcaX509ExtensionUtils utils) throws IOException;
    }

    CertificateIssuer(SecureRandom random) {
        this.random = random;
    }

    /** A new authority with a unique name. */
    CertificateKeyPair createAuthority(Instant now, Duration validity) {
        BigInteger serial = serial();
        X500Principal name = new X500Principal("CN=osm-hub webhook authority " + serial.toString(16));
        KeyPair keys = keys();
        JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                name, serial, Date.from(now.minus(SKEW)), Date.from(now.plus(validity)), name, keys.getPublic());
        return signed(builder, keys.getPrivate(), keys.getPrivate(), extensions -> builder.addExtension(
                        Extension.basicConstraints, true, new BasicConstraints(0))
                .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign))
                .addExtension(
                        Extension.subjectKeyIdentifier,
                        false,
                        extensions.createSubjectKeyIdentifier(keys.getPublic())));
    }

    /**
     * A server certificate.
     *
     * @param names host names and addresses; at least one
     * @param validity limited to the authority's own
     */
    CertificateKeyPair issueLeaf(
            CertificateKeyPair authority, Collection<String> names, Instant now, Duration validity) {
        KeyPair keys = keys();
        Instant end = now.plus(validity).isBefore(authority.notAfter()) ? now.plus(validity) : authority.notAfter();
        JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                authority.certificate(),
                serial(),
                Date.from(now.minus(SKEW)),
                Date.from(end),
                new X500Principal("CN=osm-hub webhook"),
                keys.getPublic());
        return signed(builder, authority.key(), keys.getPrivate(), extensions -> builder.addExtension(
                        Extension.basicConstraints, true, new BasicConstraints(false))
                .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
                .addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth))
                .addExtension(
                        Extension.authorityKeyIdentifier,
                        false,
                        extensions.createAuthorityKeyIdentifier(
                                authority.certificate().getPublicKey()))
                .addExtension(
                        Extension.subjectAlternativeName,
                        false,
                        new GeneralNames(
                                names.stream().map(CertificateIssuer::name).toArray(GeneralName[]::new))));
    }

    /** Whether an authority has signed a certificate. */
    static boolean hasSigned(X509Certificate authority, X509Certificate leaf) {
        if (!leaf.getIssuerX500Principal().equals(authority.getSubjectX500Principal())) {
            return false;
        }
        try {
            leaf.verify(authority.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static GeneralName name(String host) {
        return new GeneralName(ADDRESS.matcher(host).matches() ? GeneralName.iPAddress : GeneralName.dNSName, host);
    }

    private BigInteger serial() {
        return new BigInteger(SERIAL_BITS, random).setBit(SERIAL_BITS - 1);
    }

    private KeyPair keys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(256, random);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has P-256", e);
        }
    }

    private static CertificateKeyPair signed(
            JcaX509v3CertificateBuilder builder, PrivateKey signer, PrivateKey key, CertificateExtensions extensions) {
        try {
            extensions.addTo(new JcaX509ExtensionUtils());
            return new CertificateKeyPair(
                    List.of(new JcaX509CertificateConverter()
                            .getCertificate(
                                    builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(signer)))),
                    key);
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException("every Java signs with P-256", e);
        } catch (IOException e) {
            throw new UncheckedIOException("encoded in memory", e);
        }
    }
}
