package io.osmhub.sim.certificate;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate authority with an EC key: signs serving and client certificates. Many clusters may share one. */
public final class SimulatedAuthority {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Duration LIFE = Duration.ofDays(3650);

    private final KeyPair keys;
    private final X509Certificate certificate;
    private final X500Name name;

    private SimulatedAuthority(KeyPair keys, X509Certificate certificate, X500Name name) {
        this.keys = keys;
        this.certificate = certificate;
        this.name = name;
    }

    /** A new authority with a new key. */
    public static SimulatedAuthority create(String commonName) {
        try {
            KeyPair keys = newKeys();
            X500Name name = new X500Name("CN=" + commonName);
            X509v3CertificateBuilder builder = builder(name, name, keys);
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
            builder.addExtension(
                    Extension.keyUsage,
                    true,
                    new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign | KeyUsage.digitalSignature));
            return new SimulatedAuthority(keys, sign(builder, keys), name);
        } catch (GeneralSecurityException | IOException | OperatorCreationException impossible) {
            throw new IllegalStateException("the Java runtime cannot make an EC certificate", impossible);
        }
    }

    /** The authority's own certificate. */
    public X509Certificate certificate() {
        return certificate;
    }

    /** The same as PEM. */
    public String pem() {
        return PemFormatter.of(certificate);
    }

    /** A serving certificate for the loopback addresses and {@code localhost}. */
    public CertifiedKey serving() {
        return issue(new X500Name("CN=kube-apiserver"), KeyPurposeId.id_kp_serverAuth, LIFE);
    }

    /** A client certificate for a user in some groups, valid for so long from now on. */
    public CertifiedKey client(String user, List<String> groups, Duration life) {
        X500NameBuilder subject = new X500NameBuilder(BCStyle.INSTANCE);
        groups.forEach(group -> subject.addRDN(BCStyle.O, group));
        subject.addRDN(BCStyle.CN, user);
        return issue(subject.build(), KeyPurposeId.id_kp_clientAuth, life);
    }

    private CertifiedKey issue(X500Name subject, KeyPurposeId purpose, Duration life) {
        try {
            KeyPair pair = newKeys();
            Instant from = Instant.now().minus(Duration.ofMinutes(5));
            X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                    name,
                    new BigInteger(64, RANDOM),
                    Date.from(from),
                    Date.from(Instant.now().plus(life)),
                    subject,
                    pair.getPublic());
            builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose));
            if (purpose.equals(KeyPurposeId.id_kp_serverAuth)) {
                builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(new GeneralName[] {
                    new GeneralName(GeneralName.dNSName, "localhost"),
                    new GeneralName(GeneralName.dNSName, "kubernetes"),
                    new GeneralName(GeneralName.dNSName, "kubernetes.default.svc"),
                    new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
                    new GeneralName(GeneralName.iPAddress, "::1")
                }));
            }
            return new CertifiedKey(pair.getPrivate(), sign(builder, keys));
        } catch (GeneralSecurityException | IOException | OperatorCreationException impossible) {
            throw new IllegalStateException("the Java runtime cannot make an EC certificate", impossible);
        }
    }

    private static X509v3CertificateBuilder builder(X500Name issuer, X500Name subject, KeyPair pair) {
        Instant from = Instant.now().minus(Duration.ofMinutes(5));
        return new JcaX509v3CertificateBuilder(
                issuer,
                new BigInteger(64, RANDOM),
                Date.from(from),
                Date.from(from.plus(LIFE)),
                subject,
                pair.getPublic());
    }

    private static X509Certificate sign(X509v3CertificateBuilder builder, KeyPair signer)
            throws GeneralSecurityException, OperatorCreationException {
        return new JcaX509CertificateConverter()
                .getCertificate(
                        builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(signer.getPrivate())));
    }

    private static KeyPair newKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
        return generator.generateKeyPair();
    }
}
