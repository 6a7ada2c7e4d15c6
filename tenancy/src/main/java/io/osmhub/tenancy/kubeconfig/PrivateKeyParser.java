package io.osmhub.tenancy.kubeconfig;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.osmhub.core.model.Sensitive;
import io.osmhub.core.settings.DerNestingCheck;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.RSAPrivateKey;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemReader;
import org.bouncycastle.util.io.pem.PemWriter;

/** Parses private keys in PEM, in common formats: PKCS#8, PKCS#1 for RSA and SEC1 for EC. */
final class PrivateKeyParser {
    private static final String PKCS8 = "PRIVATE KEY";
    private static final String GIVE = "use an RSA or EC key in PKCS#1, SEC1 or PKCS#8";
    /** The JDK signs and verifies with the public exponent, and limits it to this in long keys only. */
    private static final int LONGEST_EXPONENT_BITS = 64;

    private PrivateKeyParser() {}

    /**
     * Reads the only private key of a text, and compares it with the certificate's public key.
     *
     * @return the key in PKCS#8, as PEM
     */
    static Sensitive read(byte[] pem, PublicKey certified) throws InvalidValueException {
        try {
            PemObject block = onlyKey(pem);
            if (block.getType().startsWith("ENCRYPTED") || !block.getHeaders().isEmpty()) {
                throw new InvalidValueException(
                        "is an encrypted key", "store it without a passphrase: openssl pkey -in KEY");
            }
            boolean rsa = certified.getAlgorithm().equals("RSA");
            if (!rsa && !certified.getAlgorithm().equals("EC")) {
                throw new InvalidValueException("is neither an RSA nor an EC key", GIVE);
            }
            if (certified instanceof RSAPublicKey key && key.getPublicExponent().bitLength() > LONGEST_EXPONENT_BITS) {
                throw new InvalidValueException(
                        "has a public exponent of more than " + LONGEST_EXPONENT_BITS + " bits",
                        "use a key with the exponent 65537");
            }
            if (!DerNestingCheck.isWithinLimits(block.getContent())) {
                throw new InvalidValueException("contains an invalid private key", GIVE);
            }
            PrivateKey key = KeyFactory.getInstance(certified.getAlgorithm())
                    .generatePrivate(new PKCS8EncodedKeySpec(pkcs8(block, certified)));
            if (!signsFor(key, certified, rsa ? "SHA256withRSA" : "SHA256withECDSA")) {
                throw new InvalidValueException(
                        "does not match the certificate in client-certificate-data", "use the certificate's own key");
            }
            StringWriter text = new StringWriter();
            try (PemWriter writer = new PemWriter(text)) {
                writer.writeObject(new PemObject(PKCS8, key.getEncoded()));
            }
            return new Sensitive(text.toString());
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            // Parsers throw many kinds of exceptions, whose messages may quote the key.
            throw new InvalidValueException("contains no key that matches the certificate", GIVE);
        }
    }

    private static PemObject onlyKey(byte[] pem) throws IOException, InvalidValueException {
        List<PemObject> keys = new ArrayList<>();
        try (PemReader reader = new PemReader(new StringReader(new String(pem, ISO_8859_1)))) {
            for (PemObject block = reader.readPemObject(); block != null; block = reader.readPemObject()) {
                if (block.getType().endsWith(PKCS8)) {
                    keys.add(block);
                }
            }
        }
        if (keys.size() != 1) {
            throw new InvalidValueException(
                    keys.isEmpty() ? "contains no private key in PEM" : "contains " + keys.size() + " private keys",
                    GIVE);
        }
        return keys.getFirst();
    }

    private static byte[] pkcs8(PemObject block, PublicKey certified) throws IOException, InvalidValueException {
        byte[] content = block.getContent();
        return switch (block.getType()) {
            case PKCS8 -> content;
            case "RSA PRIVATE KEY" ->
                new PrivateKeyInfo(
                                new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE),
                                RSAPrivateKey.getInstance(content))
                        .getEncoded();
            case "EC PRIVATE KEY" -> {
                ECPrivateKey key = ECPrivateKey.getInstance(content);
                // The curve may be omitted; then only the certificate contains it.
                ASN1Encodable curve = key.getParametersObject() == null
                        ? SubjectPublicKeyInfo.getInstance(certified.getEncoded())
                                .getAlgorithm()
                                .getParameters()
                        : key.getParametersObject();
                yield new PrivateKeyInfo(new AlgorithmIdentifier(X9ObjectIdentifiers.id_ecPublicKey, curve), key)
                        .getEncoded();
            }
            default -> throw new InvalidValueException("contains an unsupported kind of key", GIVE);
        };
    }

    /** Whether a signature of the key is valid: it uses all parts of the key, as the TLS handshake does. */
    private static boolean signsFor(PrivateKey key, PublicKey certified, String algorithm)
            throws GeneralSecurityException {
        if (certified instanceof RSAPublicKey publicKey
                && !(key instanceof RSAPrivateCrtKey parts
                        && parts.getPublicExponent().equals(publicKey.getPublicExponent())
                        && isWhole(parts))) {
            return false;
        }
        byte[] challenge = certified.getEncoded();
        Signature signer = Signature.getInstance(algorithm);
        signer.initSign(key);
        signer.update(challenge);
        byte[] signature = signer.sign();
        Signature verifier = Signature.getInstance(algorithm);
        verifier.initVerify(certified);
        verifier.update(challenge);
        return verifier.verify(signature);
    }

    /** The only part that a signature does not use must match too, and with larger parts, signing could take minutes. */
    private static boolean isWhole(RSAPrivateCrtKey key) {
        BigInteger p = key.getPrimeP();
        BigInteger q = key.getPrimeQ();
        BigInteger product = key.getPrivateExponent().multiply(key.getPublicExponent());
        return Stream.of(p, q, key.getPrimeExponentP(), key.getPrimeExponentQ(), key.getCrtCoefficient())
                        .allMatch(part -> part.bitLength() <= key.getModulus().bitLength())
                && Stream.of(p, q).allMatch(prime -> product.mod(prime.subtract(BigInteger.ONE))
                        .equals(BigInteger.ONE));
    }
}
