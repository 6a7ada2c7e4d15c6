package io.osmhub.sim.auth;

import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import javax.net.ssl.SSLException;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
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

/** A certificate authority with an EC key: signs serving and client certificates. Clusters may share one. */
public record SimulatedAuthority(KeyPair keys, X509Certificate certificate, X500Name name) {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Duration LIFE = Duration.ofDays(3650);
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

    /** A private key with its certificate. */
    public record CertifiedKey(PrivateKey key, X509Certificate certificate) {
        public String certificatePem() {
            return pemOf(certificate);
        }

        /** PKCS#8. */
        public String keyPem() {
            return pemOf("PRIVATE KEY", key.getEncoded());
        }

        @Override
        public String toString() {
            return "CertifiedKey[" + certificate.getSubjectX500Principal() + "]";
        }
    }

    private record CertificateExtension(ASN1ObjectIdentifier id, boolean critical, ASN1Encodable value) {}

    /** A new authority with a new key. */
    public static SimulatedAuthority create(String commonName) {
        X500Name name = new X500Name("CN=" + commonName);
        KeyPair keys = newKeys();
        int usage = KeyUsage.keyCertSign | KeyUsage.cRLSign | KeyUsage.digitalSignature;
        List<CertificateExtension> extensions = List.of(
                new CertificateExtension(Extension.basicConstraints, true, new BasicConstraints(true)),
                new CertificateExtension(Extension.keyUsage, true, new KeyUsage(usage)));
        return new SimulatedAuthority(keys, sign(name, keys, name, keys, LIFE, extensions), name);
    }

    /** The authority's own certificate. */
    public String pem() {
        return pemOf(certificate);
    }

    /** A serving certificate for the loopback addresses and {@code localhost}. */
    public CertifiedKey serving() {
        GeneralNames names = new GeneralNames(new GeneralName[] {
            new GeneralName(GeneralName.dNSName, "localhost"),
            new GeneralName(GeneralName.dNSName, "kubernetes"),
            new GeneralName(GeneralName.dNSName, "kubernetes.default.svc"),
            new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
            new GeneralName(GeneralName.iPAddress, "::1")
        });
        return issue(
                new X500Name("CN=kube-apiserver"),
                LIFE,
                List.of(
                        purpose(KeyPurposeId.id_kp_serverAuth),
                        new CertificateExtension(Extension.subjectAlternativeName, false, names)));
    }

    /** A client certificate, valid from now on for this duration. */
    public CertifiedKey client(String user, List<String> groups, Duration life) {
        X500NameBuilder subject = new X500NameBuilder(BCStyle.INSTANCE);
        groups.forEach(group -> subject.addRDN(BCStyle.O, group));
        subject.addRDN(BCStyle.CN, user);
        return issue(subject.build(), life, List.of(purpose(KeyPurposeId.id_kp_clientAuth)));
    }

    /** A context that serves with a new certificate of this authority. */
    public SslContext tlsContext() {
        return tlsContext(serving());
    }

    /**
     * A context for HTTP/2 and HTTP/1.1 that serves with a given certificate, and requests but does not require a client certificate of
     * this authority.
     */
    public SslContext tlsContext(CertifiedKey serving) {
        try {
            return SslContextBuilder.forServer(serving.key(), serving.certificate())
                    // PKCS12, the default, derives a key from a password for each context, in 80 ms.
                    .keyStoreType("JKS")
                    // A measured hub shares the processors with its clusters.
                    .sslProvider(OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK)
                    .trustManager(certificate)
                    .clientAuth(ClientAuth.OPTIONAL)
                    .ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                    .applicationProtocolConfig(new ApplicationProtocolConfig(
                            ApplicationProtocolConfig.Protocol.ALPN,
                            ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                            ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                            "h2",
                            "http/1.1"))
                    .build();
        } catch (SSLException impossible) {
            throw new IllegalStateException("the Java runtime cannot serve TLS", impossible);
        }
    }

    private static CertificateExtension purpose(KeyPurposeId purpose) {
        return new CertificateExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose));
    }

    private CertifiedKey issue(X500Name subject, Duration life, List<CertificateExtension> extensions) {
        KeyPair pair = newKeys();
        return new CertifiedKey(pair.getPrivate(), sign(name, keys, subject, pair, life, extensions));
    }

    private static X509Certificate sign(
            X500Name issuer,
            KeyPair signer,
            X500Name subject,
            KeyPair pair,
            Duration life,
            List<CertificateExtension> extensions) {
        Instant now = Instant.now();
        X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                issuer,
                new BigInteger(64, RANDOM),
                Date.from(now.minus(Duration.ofMinutes(5))),
                Date.from(now.plus(life)),
                subject,
                pair.getPublic());
        try {
            for (CertificateExtension each : extensions) {
                builder.addExtension(each.id(), each.critical(), each.value());
            }
            return new JcaX509CertificateConverter()
                    .getCertificate(
                            builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(signer.getPrivate())));
        } catch (GeneralSecurityException | IOException | OperatorCreationException impossible) {
            throw new IllegalStateException("the Java runtime cannot create an EC certificate", impossible);
        }
    }

    private static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("the Java runtime cannot create an EC key", impossible);
        }
    }

    private static String pemOf(X509Certificate certificate) {
        try {
            return pemOf("CERTIFICATE", certificate.getEncoded());
        } catch (CertificateEncodingException impossible) {
            throw new IllegalStateException("a new certificate cannot be encoded", impossible);
        }
    }

    private static String pemOf(String label, byte[] der) {
        return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(label, LINES.encodeToString(der));
    }
}
