package io.osmhub.tenancy.client;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;

/** A certificate authority for tests. */
public final class TestAuthority {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final X500Name name;
    private final KeyPair keys;
    private final String pem;

    /** A certificate with its key. {@code pkcs1} is the key in PKCS#1 or SEC1. */
    public record Issued(String certificatePem, String pkcs8, String pkcs1) {}

    public TestAuthority(String commonName) {
        this.name = new X500Name("CN=" + commonName);
        this.keys = keyPair("EC");
        this.pem = pemOf(certificate(name, keys, true, List.of(), Instant.now().plus(Duration.ofDays(1))));
    }

    public String pem() {
        return pem;
    }

    /** For these host names and addresses. */
    public Issued server(String... hosts) {
        return issue("server", "EC", List.of(hosts), Instant.now().plus(Duration.ofHours(1)));
    }

    public Issued endedServer(String... hosts) {
        return issue("server", "EC", List.of(hosts), Instant.now().minus(Duration.ofMinutes(5)));
    }

    /** With a key of this algorithm; see {@link #client}. */
    Issued serverWithKey(String algorithm, String... hosts) {
        return issue("server", algorithm, List.of(hosts), Instant.now().plus(Duration.ofHours(1)));
    }

    /** @param algorithm RSA, EC (P-256), or EC-521, a curve that BoringSSL does not offer */
    public Issued client(String user, String algorithm) {
        return issue(user, algorithm, List.of(), Instant.now().plus(Duration.ofHours(1)));
    }

    private Issued issue(String commonName, String algorithm, List<String> hosts, Instant end) {
        KeyPair own = keyPair(algorithm);
        X509Certificate certificate = certificate(new X500Name("CN=" + commonName), own, false, hosts, end);
        return new Issued(pemOf(certificate), pkcs8(own), ownForm(own));
    }

    private X509Certificate certificate(
            X500Name subject, KeyPair subjectKeys, boolean authority, List<String> hosts, Instant end) {
        try {
            JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                    name,
                    new BigInteger(64, RANDOM),
                    Date.from(Instant.now().minus(Duration.ofDays(1))),
                    Date.from(end),
                    subject,
                    subjectKeys.getPublic());
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
            if (!hosts.isEmpty()) {
                List<GeneralName> names = new ArrayList<>();
                for (String host : hosts) {
                    boolean address = host.contains(":") || Character.isDigit(host.charAt(0));
                    names.add(new GeneralName(
                            address ? GeneralName.iPAddress : GeneralName.dNSName,
                            address ? InetAddress.getByName(host).getHostAddress() : host));
                }
                builder.addExtension(
                        Extension.subjectAlternativeName, false, new GeneralNames(names.toArray(GeneralName[]::new)));
            }
            return new JcaX509CertificateConverter()
                    .getCertificate(
                            builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static KeyPair keyPair(String algorithm) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm.split("-")[0]);
            generator.initialize(
                    switch (algorithm) {
                        case "EC" -> 256;
                        case "EC-521" -> 521;
                        default -> 2048;
                    });
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** As openssl writes it: PKCS#1, or SEC1 with the curve's name. */
    private static String ownForm(KeyPair pair) {
        PrivateKeyInfo info = PrivateKeyInfo.getInstance(pair.getPrivate().getEncoded());
        try {
            if (pair.getPrivate() instanceof java.security.interfaces.ECPrivateKey key) {
                return pemOf(new PemObject(
                        "EC PRIVATE KEY",
                        new ECPrivateKey(
                                        key.getParams().getOrder().bitLength(),
                                        key.getS(),
                                        info.getPrivateKeyAlgorithm().getParameters())
                                .getEncoded()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return pemOf(pair.getPrivate());
    }

    private static String pkcs8(KeyPair pair) {
        try {
            return pemOf(new JcaPKCS8Generator(pair.getPrivate(), null).generate());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String pemOf(Object object) {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(object);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }
}
