package io.osmhub.tenancy.kubeconfig;

import io.osmhub.core.model.Sensitive;
import io.osmhub.core.settings.DerShape;
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

/** Private keys in PEM, in the forms that certificate tools write: PKCS#8, and PKCS#1 for RSA or SEC1 for EC. */
final class PrivateKeys {
    /** Curves that TLS of this platform signs with. */
    private static final Set<ASN1ObjectIdentifier> CURVES =
            Set.of(X9ObjectIdentifiers.prime256v1, SECObjectIdentifiers.secp384r1, SECObjectIdentifiers.secp521r1);

    private static final String PKCS8 = "PRIVATE KEY";
    private static final int LARGEST_RSA = 16_384;
    private static final String GIVE = "give an RSA or EC key in PKCS#1, SEC1 or PKCS#8";

    private PrivateKeys() {}

    /** A key, or why there is none: one of both is null. */
    record Reading(@Nullable Sensitive pkcs8Pem, @Nullable String wrong, String cure) {
        static Reading wrong(String what, String cure) {
            return new Reading(null, what, cure);
        }
    }

    /** Reads the one private key of a text, and compares it with the certificate's public key. */
    static Reading read(byte[] pem, PublicKey certified) {
        List<Pem.Block> keys = Pem.blocks(pem).stream()
                .filter(block -> block.type().endsWith(PKCS8))
                .toList();
        if (keys.size() != 1) {
            return Reading.wrong(
                    keys.isEmpty() ? "holds no private key in PEM" : "holds " + keys.size() + " private keys", GIVE);
        }
        Pem.Block block = keys.getFirst();
        if (block.type().startsWith("ENCRYPTED") || block.headers()) {
            return Reading.wrong("is an encrypted key", "store it without a passphrase: openssl pkey -in KEY");
        }
        byte[] content = block.content();
        if (content == null || !DerShape.isPlain(content)) {
            return Reading.wrong("holds a private key that does not parse", GIVE);
        }
        try {
            return switch (block.type()) {
                case PKCS8 -> pkcs8(PrivateKeyInfo.getInstance(content), certified);
                case "RSA PRIVATE KEY" -> rsa(RSAPrivateKey.getInstance(content), certified);
                case "EC PRIVATE KEY" -> ec(ECPrivateKey.getInstance(content), null, certified);
                default -> Reading.wrong("holds a key of another kind", GIVE);
            };
        } catch (IOException | RuntimeException e) {
            // Bouncy Castle answers a broken encoding with exceptions of many kinds, whose words may quote the key.
            return Reading.wrong("holds a private key that does not parse", GIVE);
        }
    }

    private static Reading pkcs8(PrivateKeyInfo info, PublicKey certified) throws IOException {
        AlgorithmIdentifier algorithm = info.getPrivateKeyAlgorithm();
        if (algorithm.getAlgorithm().equals(PKCSObjectIdentifiers.rsaEncryption)) {
            return rsa(RSAPrivateKey.getInstance(info.parsePrivateKey()), certified);
        }
        if (algorithm.getAlgorithm().equals(X9ObjectIdentifiers.id_ecPublicKey)) {
            return ec(ECPrivateKey.getInstance(info.parsePrivateKey()), algorithm.getParameters(), certified);
        }
        return Reading.wrong("is neither an RSA nor an EC key", GIVE);
    }

    private static Reading rsa(RSAPrivateKey key, PublicKey certified) throws IOException {
        if (!(certified instanceof RSAPublicKey known) || !isPair(key, known)) {
            return doesNotFit();
        }
        if (key.getModulus().bitLength() > LARGEST_RSA) {
            return Reading.wrong("has more than 16,384 bits", "give a smaller key");
        }
        return of(new PrivateKeyInfo(
                new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE), key));
    }

    private static boolean isPair(RSAPrivateKey key, RSAPublicKey known) {
        BigInteger one = BigInteger.ONE;
        BigInteger p = key.getPrime1();
        BigInteger q = key.getPrime2();
        boolean positive = key.getPrivateExponent().signum() > 0 && p.compareTo(one) > 0 && q.compareTo(one) > 0;
        // All parts are used in signing, so all have to belong together.
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

    private static Reading ec(ECPrivateKey key, @Nullable ASN1Encodable parameters, PublicKey certified)
            throws IOException {
        ASN1Encodable certifiedCurve = SubjectPublicKeyInfo.getInstance(certified.getEncoded())
                .getAlgorithm()
                .getParameters();
        ASN1Encodable own = parameters == null ? key.getParametersObject() : parameters;
        // In SEC1 the curve may be left out; then only the certificate tells it.
        ASN1Encodable named = own == null ? certifiedCurve : own;
        if (!(certified instanceof ECPublicKey known)) {
            return doesNotFit();
        }
        if (!(named instanceof ASN1ObjectIdentifier curve) || !CURVES.contains(curve)) {
            return Reading.wrong("is an EC key of another curve", "use P-256, P-384 or P-521");
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

    private static Reading of(PrivateKeyInfo info) throws IOException {
        return new Reading(new Sensitive(Pem.write(PKCS8, info.getEncoded("DER"))), null, "");
    }

    private static Reading doesNotFit() {
        return Reading.wrong(
                "does not fit the certificate in client-certificate-data",
                "give the key that the certificate was made with");
    }
}
