package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.model.Sensitive;
import io.osmhub.core.settings.DerNestingCheck;
import java.io.IOException;
import java.math.BigInteger;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.RSAPrivateKey;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ECParameters;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.math.ec.FixedPointCombMultiplier;
import org.jspecify.annotations.Nullable;

/** Parses private keys in PEM, in common formats: PKCS#8, PKCS#1 for RSA and SEC1 for EC. */
final class PrivateKeyParser {
    /** Curves that this platform's TLS supports. */
    private static final Set<ASN1ObjectIdentifier> CURVES =
            Set.of(X9ObjectIdentifiers.prime256v1, SECObjectIdentifiers.secp384r1, SECObjectIdentifiers.secp521r1);

    private static final String PKCS8 = "PRIVATE KEY";
    private static final int LARGEST_RSA = 16_384;
    private static final String GIVE = "use an RSA or EC key in PKCS#1, SEC1 or PKCS#8";

    private PrivateKeyParser() {}

    /** A key or an error; the other one is null. */
    record ParsedPrivateKey(
            @Nullable Sensitive pkcs8Pem, @Nullable String wrong, String cure) {
        static ParsedPrivateKey wrong(String what, String cure) {
            return new ParsedPrivateKey(null, what, cure);
        }
    }

    /** Reads the only private key of a text, and compares it with the certificate's public key. */
    static ParsedPrivateKey read(byte[] pem, PublicKey certified) {
        List<PemBlocks.PemBlock> keys = PemBlocks.blocks(pem).stream()
                .filter(block -> block.type().endsWith(PKCS8))
                .toList();
        if (keys.size() != 1) {
            return ParsedPrivateKey.wrong(
                    keys.isEmpty() ? "contains no private key in PEM" : "contains " + keys.size() + " private keys",
                    GIVE);
        }
        PemBlocks.PemBlock block = keys.getFirst();
        if (block.type().startsWith("ENCRYPTED") || block.headers()) {
            return ParsedPrivateKey.wrong("is an encrypted key", "store it without a passphrase: openssl pkey -in KEY");
        }
        byte[] content = block.content();
        if (content == null || !DerNestingCheck.isWithinLimits(content)) {
            return ParsedPrivateKey.wrong("contains an invalid private key", GIVE);
        }
        try {
            return switch (block.type()) {
                case PKCS8 -> pkcs8(PrivateKeyInfo.getInstance(content), certified);
                case "RSA PRIVATE KEY" -> rsa(RSAPrivateKey.getInstance(content), certified);
                case "EC PRIVATE KEY" -> ec(ECPrivateKey.getInstance(content), null, certified);
                default -> ParsedPrivateKey.wrong("contains an unsupported kind of key", GIVE);
            };
        } catch (IOException | RuntimeException e) {
            // Bouncy Castle throws many kinds of exceptions, whose messages may quote the key.
            return ParsedPrivateKey.wrong("contains an invalid private key", GIVE);
        }
    }

    private static ParsedPrivateKey pkcs8(PrivateKeyInfo info, PublicKey certified) throws IOException {
        AlgorithmIdentifier algorithm = info.getPrivateKeyAlgorithm();
        if (algorithm.getAlgorithm().equals(PKCSObjectIdentifiers.rsaEncryption)) {
            return rsa(RSAPrivateKey.getInstance(info.parsePrivateKey()), certified);
        }
        if (algorithm.getAlgorithm().equals(X9ObjectIdentifiers.id_ecPublicKey)) {
            return ec(ECPrivateKey.getInstance(info.parsePrivateKey()), algorithm.getParameters(), certified);
        }
        return ParsedPrivateKey.wrong("is neither an RSA nor an EC key", GIVE);
    }

    private static ParsedPrivateKey rsa(RSAPrivateKey key, PublicKey certified) throws IOException {
        if (!(certified instanceof RSAPublicKey known) || !isPair(key, known)) {
            return doesNotFit();
        }
        if (key.getModulus().bitLength() > LARGEST_RSA) {
            return ParsedPrivateKey.wrong("has more than 16,384 bits", "use a smaller key");
        }
        return of(new PrivateKeyInfo(
                new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE), key));
    }

    private static boolean isPair(RSAPrivateKey key, RSAPublicKey known) {
        BigInteger one = BigInteger.ONE;
        BigInteger p = key.getPrime1();
        BigInteger q = key.getPrime2();
        boolean positive = key.getPrivateExponent().signum() > 0 && p.compareTo(one) > 0 && q.compareTo(one) > 0;
        // Signing uses all parts, so all must match.
        return positive
                && key.getModulus().equals(known.getModulus())
                && key.getPublicExponent().equals(known.getPublicExponent())
                && p.multiply(q).equals(key.getModulus())
                && isInverse(key.getPrivateExponent(), key.getPublicExponent(), p)
                && isInverse(key.getPrivateExponent(), key.getPublicExponent(), q)
                && key.getExponent1().equals(key.getPrivateExponent().mod(p.subtract(one)))
                && key.getExponent2().equals(key.getPrivateExponent().mod(q.subtract(one)))
                && key.getCoefficient().multiply(q).mod(p).equals(one);
    }

    private static boolean isInverse(BigInteger a, BigInteger b, BigInteger prime) {
        return a.multiply(b).mod(prime.subtract(BigInteger.ONE)).equals(BigInteger.ONE);
    }

    private static ParsedPrivateKey ec(ECPrivateKey key, @Nullable ASN1Encodable parameters, PublicKey certified)
            throws IOException {
        ASN1Encodable certifiedCurve = SubjectPublicKeyInfo.getInstance(certified.getEncoded())
                .getAlgorithm()
                .getParameters();
        ASN1Encodable own = parameters == null ? key.getParametersObject() : parameters;
        // SEC1 may omit the curve; then only the certificate contains it.
        ASN1Encodable named = own == null ? certifiedCurve : own;
        if (!(certified instanceof ECPublicKey known)) {
            return doesNotFit();
        }
        if (!(named instanceof ASN1ObjectIdentifier curve) || !CURVES.contains(curve)) {
            return ParsedPrivateKey.wrong("is an EC key with an unsupported curve", "use P-256, P-384 or P-521");
        }
        X9ECParameters domain = CustomNamedCurves.getByOID(curve);
        BigInteger d = key.getKey();
        if (d.signum() <= 0 || d.compareTo(domain.getN()) >= 0 || !curve.equals(certifiedCurve)) {
            return doesNotFit();
        }
        ECPoint point =
                new FixedPointCombMultiplier().multiply(domain.getG(), d).normalize();
        boolean fits = point.getAffineXCoord()
                        .toBigInteger()
                        .equals(known.getW().getAffineX())
                && point.getAffineYCoord().toBigInteger().equals(known.getW().getAffineY());
        if (!fits) {
            return doesNotFit();
        }
        ECPrivateKey plain = new ECPrivateKey(domain.getN().bitLength(), d);
        return of(new PrivateKeyInfo(new AlgorithmIdentifier(X9ObjectIdentifiers.id_ecPublicKey, curve), plain));
    }

    private static ParsedPrivateKey of(PrivateKeyInfo info) throws IOException {
        return new ParsedPrivateKey(new Sensitive(PemBlocks.write(PKCS8, info.getEncoded("DER"))), null, "");
    }

    private static ParsedPrivateKey doesNotFit() {
        return ParsedPrivateKey.wrong(
                "does not match the certificate in client-certificate-data", "use the certificate's own key");
    }
}
