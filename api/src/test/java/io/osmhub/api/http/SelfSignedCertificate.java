package io.osmhub.api.http;

import io.osmhub.core.model.IpAddress;
import io.osmhub.tenancy.certificate.ServingCertificate;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate for where no authority is at hand: signed by itself, another one in each process. */
public final class SelfSignedCertificate implements ServingCertificate {
    private static final Duration LIFE = Duration.ofDays(90);
    private static final Duration SLOW_CLOCKS = Duration.ofHours(1);
    private static final int SERIAL_BITS = 120;

    private final List<String> names;
    private final String certificatePem;
    private final KeyCertOptions options;

    /** @param names that clients know the server by; names and addresses */
    public SelfSignedCertificate(List<String> names) {
        this.names = names;
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair keys = generator.generateKeyPair();
            X509CertificateHolder certificate = sign(names, keys);
            certificatePem = pem(certificate);
            options = new PemKeyCertOptions()
                    .addCertValue(Buffer.buffer(certificatePem))
                    .addKeyValue(Buffer.buffer(
                            pem(new JcaPKCS8Generator(keys.getPrivate(), null)).getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException("every JDK makes P-256 keys and signs with them", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static X509CertificateHolder sign(List<String> names, KeyPair keys)
            throws IOException, OperatorCreationException {
        Instant now = Instant.now();
        X500Name subject = new X500Name("CN=osm-hub");
        List<GeneralName> alternatives = new ArrayList<>();
        for (String name : names) {
            boolean address = IpAddress.parse(name) != null;
            alternatives.add(new GeneralName(address ? GeneralName.iPAddress : GeneralName.dNSName, name));
        }
        return new JcaX509v3CertificateBuilder(
                        subject,
                        new BigInteger(SERIAL_BITS, new SecureRandom()).add(BigInteger.ONE),
                        Date.from(now.minus(SLOW_CLOCKS)),
                        Date.from(now.plus(LIFE)),
                        subject,
                        keys.getPublic())
                .addExtension(
                        Extension.subjectAlternativeName,
                        false,
                        new GeneralNames(alternatives.toArray(GeneralName[]::new)))
                .build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate()));
    }

    private static String pem(Object object) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(object);
        }
        return text.toString();
    }

    /** A client's context that trusts this certificate only. */
    public SSLContext trusting() {
        return trusting(certificatePem);
    }

    /** A client's context that trusts this certificate or authority only. */
    public static SSLContext trusting(String pem) {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            store.setCertificateEntry(
                    "server",
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII))));
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public KeyCertOptions current() {
        return options;
    }

    @Override
    public String trusted() {
        return certificatePem;
    }

    @Override
    public String serverName() {
        return names.getFirst();
    }

    @Override
    public void onChange(Runnable task) {
        // It lives as long as the process.
    }
}
