package io.osmhub.tenancy.kubeconfig;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.asn1.ASN1Object;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaMiscPEMGenerator;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemObjectGenerator;

/** Keys and certificates, created once for all tests. */
final class Pki {
    static final Instant FROM = Instant.parse("2026-01-01T00:00:00Z");
    static final Instant UNTIL = Instant.parse("2027-06-01T00:00:00Z");

    static final Identity RSA = identity("RSA", rsa(RSAKeyGenParameterSpec.F4));
    static final Identity OTHER_RSA = identity("RSA", rsa(RSAKeyGenParameterSpec.F4));
    static final Identity RSA_LONG_EXPONENT =
            identity("RSA", rsa(BigInteger.ONE.shiftLeft(64).add(BigInteger.ONE)));
    static final Identity EC = identity("EC", new ECGenParameterSpec("secp256r1"));
    static final Identity OTHER_EC = identity("EC", new ECGenParameterSpec("secp256r1"));
    static final Identity EC_384 = identity("EC", new ECGenParameterSpec("secp384r1"));
    static final Identity ED25519 = identity("Ed25519", NamedParameterSpec.ED25519);
    static final String AUTHORITY =
            identity("EC", new ECGenParameterSpec("secp256r1")).certificate();

    private Pki() {}

    /** A certificate in PEM and its key. */
    record Identity(String certificate, KeyPair pair) {
        String pkcs8() {
            return pem(() -> new JcaPKCS8Generator(pair.getPrivate(), null));
        }

        /** PKCS#1 for RSA, SEC1 for EC. */
        String traditional() {
            return pem(() -> new JcaMiscPEMGenerator(pair.getPrivate()));
        }

        /** PKCS#1 with an equivalent public exponent that is long: with it, signing takes seconds. */
        String withLongExponent() {
            RSAPrivateCrtKey key = (RSAPrivateCrtKey) pair.getPrivate();
            BigInteger order = key.getPrimeP()
                    .subtract(BigInteger.ONE)
                    .multiply(key.getPrimeQ().subtract(BigInteger.ONE));
            return pem(() -> new PemObject(
                    "RSA PRIVATE KEY",
                    new org.bouncycastle.asn1.pkcs.RSAPrivateKey(
                                    key.getModulus(),
                                    key.getPublicExponent().add(order.shiftLeft(200_000)),
                                    key.getPrivateExponent(),
                                    key.getPrimeP(),
                                    key.getPrimeQ(),
                                    key.getPrimeExponentP(),
                                    key.getPrimeExponentQ(),
                                    key.getCrtCoefficient())
                            .getEncoded()));
        }

        /** As {@code openssl ecparam -genkey} writes it. */
        String withParameters() {
            PrivateKeyInfo info = PrivateKeyInfo.getInstance(pair.getPrivate().getEncoded());
            ASN1Object curve = info.getPrivateKeyAlgorithm().getParameters().toASN1Primitive();
            BigInteger d = ((ECPrivateKey) pair.getPrivate()).getS();
            return pem(() -> new PemObject("EC PARAMETERS", curve.getEncoded()))
                    + pem(() -> new PemObject(
                            "EC PRIVATE KEY", new org.bouncycastle.asn1.sec.ECPrivateKey(256, d, curve).getEncoded()));
        }
    }

    @FunctionalInterface
    interface Content {
        PemObjectGenerator get() throws IOException;
    }

    static String pem(Content content) {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(content.get());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return text.toString();
    }

    private static RSAKeyGenParameterSpec rsa(BigInteger publicExponent) {
        return new RSAKeyGenParameterSpec(2048, publicExponent);
    }

    private static Identity identity(String algorithm, AlgorithmParameterSpec parameters) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
            generator.initialize(parameters);
            KeyPair pair = generator.generateKeyPair();
            X500Name name = new X500Name("CN=authority");
            String signature =
                    algorithm.equals("Ed25519") ? "Ed25519" : "SHA256with" + (algorithm.equals("EC") ? "ECDSA" : "RSA");
            ContentSigner signer = new JcaContentSignerBuilder(signature).build(pair.getPrivate());
            X509v3CertificateBuilder certificate = new X509v3CertificateBuilder(
                    name,
                    BigInteger.TWO,
                    Date.from(FROM),
                    Date.from(UNTIL),
                    name,
                    SubjectPublicKeyInfo.getInstance(pair.getPublic().getEncoded()));
            return new Identity(
                    pem(() -> new PemObject(
                            "CERTIFICATE", certificate.build(signer).getEncoded())),
                    pair);
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException(e);
        }
    }

    static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }
}
