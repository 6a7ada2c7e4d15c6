package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.template.sprig.SprigArguments.ByteStrings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.security.SecureRandomSpi;
import java.util.Base64;
import java.util.Set;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1Object;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.edec.EdECObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.RSAPrivateKey;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.crypto.generators.ECKeyPairGenerator;
import org.bouncycastle.crypto.params.AsymmetricKeyParameter;
import org.bouncycastle.crypto.params.DSAParameters;
import org.bouncycastle.crypto.params.DSAPrivateKeyParameters;
import org.bouncycastle.crypto.params.ECKeyGenerationParameters;
import org.bouncycastle.crypto.params.ECNamedDomainParameters;
import org.bouncycastle.crypto.params.ECPrivateKeyParameters;
import org.bouncycastle.crypto.params.ECPublicKeyParameters;
import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters;
import org.bouncycastle.crypto.params.RSAKeyParameters;
import org.bouncycastle.crypto.params.RSAPrivateCrtKeyParameters;
import org.bouncycastle.crypto.params.X25519PrivateKeyParameters;
import org.bouncycastle.crypto.util.PrivateKeyFactory;
import org.bouncycastle.crypto.util.PrivateKeyInfoFactory;
import org.bouncycastle.math.ec.FixedPointCombMultiplier;
import org.jspecify.annotations.Nullable;

/** Private keys: generated, read from PEM, written to PEM; of the kinds that Go's standard library supports. */
final class SprigPrivateKeys {
    private static final String RSA_TYPE = "RSA PRIVATE KEY";
    private static final String EC_TYPE = "EC PRIVATE KEY";
    private static final String DSA_TYPE = "DSA PRIVATE KEY";
    private static final String PKCS8_TYPE = "PRIVATE KEY";

    private static final Set<ASN1ObjectIdentifier> CURVES = Set.of(
            SECObjectIdentifiers.secp224r1,
            SECObjectIdentifiers.secp256r1,
            SECObjectIdentifiers.secp384r1,
            SECObjectIdentifiers.secp521r1);

    /** Steps for the mean time of each generator, at 0.4 microseconds a step: 0.15 s, 0.5 s; the others take about 1 ms. */
    private static final int RSA_2048_STEPS = 400_000;

    private static final int RSA_4096_STEPS = 1_200_000;
    private static final int SMALL_KEY_STEPS = 3_000;

    /** An RSA key of 8192 bits has 4,700 bytes. */
    private static final int LARGEST_KEY_BYTES = 5_000;

    private static final int SMALLEST_KEY_STEPS = 500;

    /** Checking a key and signing with it takes time with the cube of its size: 4 ms for RSA of 2048 bits. */
    private static final int CUBE_PER_STEP = 200_000;

    private SprigPrivateKeys() {}

    static AsymmetricKeyParameter rsa(int bits, ExecutionEnvironment environment) {
        environment.charge(bits > 2048 ? RSA_4096_STEPS : RSA_2048_STEPS, bits);
        return platform("RSA", bits, environment);
    }

    /** A DSA key over the platform's published 2048-bit group; Go makes a new group each time, which takes seconds. */
    static AsymmetricKeyParameter dsa(ExecutionEnvironment environment) {
        environment.charge(SMALL_KEY_STEPS, 0);
        return platform("DSA", 2048, environment);
    }

    static AsymmetricKeyParameter p256(ExecutionEnvironment environment) {
        environment.charge(SMALL_KEY_STEPS, 0);
        ECKeyPairGenerator generator = new ECKeyPairGenerator();
        generator.init(new ECKeyGenerationParameters(
                ECNamedDomainParameters.lookup(SECObjectIdentifiers.secp256r1),
                EnvironmentSecureRandom.of(environment)));
        return generator.generateKeyPair().getPrivate();
    }

    static AsymmetricKeyParameter ed25519(ExecutionEnvironment environment) {
        environment.charge(SMALL_KEY_STEPS, 0);
        return new Ed25519PrivateKeyParameters(EnvironmentSecureRandom.of(environment));
    }

    /** By the platform's generator, which finds primes about three times as fast. */
    private static AsymmetricKeyParameter platform(String algorithm, int bits, ExecutionEnvironment environment) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
            generator.initialize(bits, EnvironmentSecureRandom.of(environment));
            return PrivateKeyFactory.createKey(
                    generator.generateKeyPair().getPrivate().getEncoded());
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java platform has " + algorithm, missing);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("a generated key is well formed", unreadable);
        }
    }

    /** Reads the first PEM block of {@code text}. */
    static AsymmetricKeyParameter parse(ExecutionEnvironment environment, String text) throws GoCallException {
        SprigArguments.chargeReading(environment, text.length());
        SprigPemBlock pem = SprigPemBlock.first(text);
        if (pem == null) {
            throw new GoCallException("no PEM data in input");
        }
        long size = pem.content().length;
        if (size > LARGEST_KEY_BYTES) {
            throw new LimitExceededException("a private key of more than " + LARGEST_KEY_BYTES + " bytes");
        }
        environment.charge(SMALLEST_KEY_STEPS + size * size * size / CUBE_PER_STEP, size);
        return switch (pem.type()) {
            case PKCS8_TYPE -> decode(pem, "decoding PEM as PKCS#8", SprigPrivateKeys::pkcs8);
            case RSA_TYPE -> decode(pem, "parsing RSA private key from PEM", SprigPrivateKeys::pkcs1);
            case EC_TYPE -> decode(pem, "parsing EC private key from PEM", SprigPrivateKeys::sec1);
            case DSA_TYPE -> decode(pem, "parsing DSA private key from PEM", SprigPrivateKeys::openSslDsa);
            default -> throw new GoCallException("no private key data in PEM block of type " + pem.type());
        };
    }

    private interface Decoder {
        AsymmetricKeyParameter decode(byte[] content) throws IOException, GoCallException;
    }

    private static AsymmetricKeyParameter decode(SprigPemBlock pem, String task, Decoder decoder)
            throws GoCallException {
        try {
            return decoder.decode(pem.content());
        } catch (GoCallException known) {
            throw new GoCallException(task + ": " + known.text());
        } catch (IOException | RuntimeException malformed) {
            // The library reports what it does not like by exceptions of many kinds; all mean the same to the user.
            throw new GoCallException(task + ": asn1: structure error: no well-formed " + pem.type());
        }
    }

    private static AsymmetricKeyParameter pkcs8(byte[] content) throws IOException, GoCallException {
        PrivateKeyInfo info = PrivateKeyInfo.getInstance(content);
        AlgorithmIdentifier algorithm = info.getPrivateKeyAlgorithm();
        ASN1ObjectIdentifier id = algorithm.getAlgorithm();
        if (id.equals(X9ObjectIdentifiers.id_ecPublicKey)) {
            requireKnownCurve(algorithm.getParameters());
        } else if (!id.equals(PKCSObjectIdentifiers.rsaEncryption)
                && !id.equals(EdECObjectIdentifiers.id_Ed25519)
                && !id.equals(EdECObjectIdentifiers.id_X25519)) {
            throw new GoCallException("x509: PKCS#8 wrapping contained private key with unknown algorithm: " + id);
        }
        return PrivateKeyFactory.createKey(info);
    }

    private static AsymmetricKeyParameter pkcs1(byte[] content) throws IOException {
        AlgorithmIdentifier algorithm = new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE);
        return PrivateKeyFactory.createKey(new PrivateKeyInfo(algorithm, RSAPrivateKey.getInstance(content)));
    }

    private static AsymmetricKeyParameter sec1(byte[] content) throws IOException, GoCallException {
        ECPrivateKey key = ECPrivateKey.getInstance(content);
        Object curve = key.getParametersObject();
        requireKnownCurve(curve);
        AlgorithmIdentifier algorithm =
                new AlgorithmIdentifier(X9ObjectIdentifiers.id_ecPublicKey, (ASN1ObjectIdentifier) curve);
        return PrivateKeyFactory.createKey(new PrivateKeyInfo(algorithm, key));
    }

    private static void requireKnownCurve(Object curve) throws GoCallException {
        if (!(curve instanceof ASN1ObjectIdentifier id) || !CURVES.contains(id)) {
            throw new GoCallException("x509: unknown elliptic curve");
        }
    }

    private static AsymmetricKeyParameter openSslDsa(byte[] content) {
        ASN1Sequence numbers = ASN1Sequence.getInstance(content);
        DSAParameters group = new DSAParameters(number(numbers, 1), number(numbers, 2), number(numbers, 3));
        return new DSAPrivateKeyParameters(number(numbers, 5), group);
    }

    private static BigInteger number(ASN1Sequence numbers, int index) {
        return ASN1Integer.getInstance(numbers.getObjectAt(index)).getValue();
    }

    /** The key as PEM, in the oldest form that its kind has. */
    static String pem(AsymmetricKeyParameter key) {
        try {
            return switch (key) {
                case RSAKeyParameters rsa ->
                    new SprigPemBlock(
                                    RSA_TYPE,
                                    PrivateKeyInfoFactory.createPrivateKeyInfo(rsa)
                                            .parsePrivateKey()
                                            .toASN1Primitive()
                                            .getEncoded())
                            .text();
                case ECPrivateKeyParameters ec -> new SprigPemBlock(EC_TYPE, sec1(ec).getEncoded()).text();
                case DSAPrivateKeyParameters dsa ->
                    new SprigPemBlock(DSA_TYPE, openSslDsa(dsa).getEncoded()).text();
                case Ed25519PrivateKeyParameters ed ->
                    new SprigPemBlock(PKCS8_TYPE, pkcs8(EdECObjectIdentifiers.id_Ed25519, ed.getEncoded())).text();
                case X25519PrivateKeyParameters x ->
                    new SprigPemBlock(PKCS8_TYPE, pkcs8(EdECObjectIdentifiers.id_X25519, x.getEncoded())).text();
                default -> throw new IllegalArgumentException("no key of a kind that is read or made here");
            };
        } catch (IOException impossible) {
            throw new UncheckedIOException("nothing is written but memory", impossible);
        }
    }

    private static ASN1Object sec1(ECPrivateKeyParameters key) {
        ECNamedDomainParameters curve = (ECNamedDomainParameters) key.getParameters();
        byte[] point = publicKey(key).getQ().getEncoded(false);
        return new ECPrivateKey(curve.getN().bitLength(), key.getD(), new DERBitString(point), curve.getName());
    }

    /** RFC 8410 without the optional public key, as Go writes it. */
    private static byte[] pkcs8(ASN1ObjectIdentifier algorithm, byte[] key) throws IOException {
        return new PrivateKeyInfo(new AlgorithmIdentifier(algorithm), new DEROctetString(key)).getEncoded();
    }

    private static ASN1Object openSslDsa(DSAPrivateKeyParameters key) {
        DSAParameters group = key.getParameters();
        ASN1EncodableVector numbers = new ASN1EncodableVector();
        numbers.add(new ASN1Integer(0));
        numbers.add(new ASN1Integer(group.getP()));
        numbers.add(new ASN1Integer(group.getQ()));
        numbers.add(new ASN1Integer(group.getG()));
        numbers.add(new ASN1Integer(group.getG().modPow(key.getX(), group.getP())));
        numbers.add(new ASN1Integer(key.getX()));
        return new DERSequence(numbers);
    }

    /** The public half of an EC key. */
    static ECPublicKeyParameters publicKey(ECPrivateKeyParameters key) {
        return new ECPublicKeyParameters(
                new FixedPointCombMultiplier().multiply(key.getParameters().getG(), key.getD()), key.getParameters());
    }

    /** The public half; null for a kind that no certificate is made for. */
    static @Nullable AsymmetricKeyParameter publicKey(AsymmetricKeyParameter key) {
        return switch (key) {
            case RSAPrivateCrtKeyParameters rsa ->
                new RSAKeyParameters(false, rsa.getModulus(), rsa.getPublicExponent());
            case ECPrivateKeyParameters ec -> publicKey(ec);
            case Ed25519PrivateKeyParameters ed -> ed.generatePublicKey();
            default -> null;
        };
    }

    /**
     * The environment's random source for key generators. A search for primes draws for each candidate, so it ends here at the time
     * limit.
     */
    static final class EnvironmentSecureRandom extends SecureRandom {
        private static final long serialVersionUID = 1L;

        private EnvironmentSecureRandom(ExecutionEnvironment environment) {
            super(new Source(environment), null);
        }

        static SecureRandom of(ExecutionEnvironment environment) {
            return new EnvironmentSecureRandom(environment);
        }

        private static final class Source extends SecureRandomSpi {
            private static final long serialVersionUID = 1L;

            private final transient ExecutionEnvironment environment;

            Source(ExecutionEnvironment environment) {
                this.environment = environment;
            }

            @Override
            protected void engineSetSeed(byte[] seed) {
                // Only the environment may seed the random source.
            }

            @Override
            protected void engineNextBytes(byte[] bytes) {
                environment.checkTimeLimit();
                environment.random().nextBytes(bytes);
            }

            @Override
            protected byte[] engineGenerateSeed(int count) {
                byte[] seed = new byte[count];
                engineNextBytes(seed);
                return seed;
            }
        }
    }

    /** One block of PEM text: its type, for example {@code RSA PRIVATE KEY}, and its content. */
    record SprigPemBlock(String type, byte[] content) {
        private static final String BEGIN = "-----BEGIN ";
        private static final String END = "-----END ";
        private static final String DASHES = "-----";
        private static final int LINE = 64;

        /** The first whole block in {@code text}; null if none. */
        static @Nullable SprigPemBlock first(String text) {
            int at = 0;
            while (at < text.length()) {
                int end = endOfLine(text, at);
                String line = text.substring(at, end).stripTrailing();
                at = end + 1;
                if (isBegin(line)) {
                    String type = line.substring(BEGIN.length(), line.length() - DASHES.length());
                    SprigPemBlock block = block(text, at, type);
                    if (block != null) {
                        return block;
                    }
                }
            }
            return null;
        }

        /** The block whose lines start at {@code from}: headers with colons, an empty line after them, base64, and the end. */
        private static @Nullable SprigPemBlock block(String text, int from, String type) {
            StringBuilder body = new StringBuilder();
            int at = from;
            while (at < text.length()) {
                int end = endOfLine(text, at);
                String line = text.substring(at, end).stripTrailing();
                at = end + 1;
                if (line.startsWith(END)) {
                    return line.equals(END + type + DASHES) ? decoded(type, body.toString()) : null;
                }
                // Invalid base64 inside a block anyway; continuing would read the rest once for each beginning.
                if (isBegin(line) || line.indexOf(':') >= 0 && !body.isEmpty()) {
                    return null;
                }
                if (line.indexOf(':') < 0) {
                    body.append(line.replace(" ", "").replace("\t", ""));
                }
            }
            return null;
        }

        private static boolean isBegin(String line) {
            return line.startsWith(BEGIN) && line.endsWith(DASHES) && line.length() >= BEGIN.length() + DASHES.length();
        }

        private static @Nullable SprigPemBlock decoded(String type, String body) {
            try {
                return new SprigPemBlock(type, ByteStrings.decodeBase64(body));
            } catch (GoCallException notBase64) {
                // Text that only resembles a block is skipped, so that a later block is found.
                return null;
            }
        }

        private static int endOfLine(String text, int from) {
            int end = text.indexOf('\n', from);
            return end < 0 ? text.length() : end;
        }

        /** The block as text, in lines of 64 characters. */
        String text() {
            String body = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(content);
            return BEGIN + type + DASHES + "\n" + body + (body.isEmpty() ? "" : "\n") + END + type + DASHES + "\n";
        }
    }
}
