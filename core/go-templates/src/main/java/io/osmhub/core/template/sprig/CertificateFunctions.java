package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoTypeParser;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoSlice;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.GoValue.GoStruct;
import io.osmhub.core.golang.text.GoPrint;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.golang.wellknown.IpAddressFormat;
import io.osmhub.core.template.sprig.SprigArguments.ByteStrings;
import io.osmhub.core.template.sprig.SprigFunctions.FunctionRegistry;
import io.osmhub.core.template.sprig.SprigPrivateKeys.EnvironmentSecureRandom;
import io.osmhub.core.template.sprig.SprigPrivateKeys.SprigPemBlock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERPrintableString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.params.AsymmetricKeyParameter;
import org.bouncycastle.crypto.params.DSAPrivateKeyParameters;
import org.bouncycastle.crypto.params.ECPrivateKeyParameters;
import org.bouncycastle.crypto.params.RSAKeyParameters;
import org.bouncycastle.crypto.util.SubjectPublicKeyInfoFactory;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.DefaultDigestAlgorithmIdentifierFinder;
import org.bouncycastle.operator.DefaultSignatureAlgorithmIdentifierFinder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.bc.BcContentSignerBuilder;
import org.bouncycastle.operator.bc.BcECContentSignerBuilder;
import org.bouncycastle.operator.bc.BcEdECContentSignerBuilder;
import org.bouncycastle.operator.bc.BcRSAContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Private keys and certificates. Every call creates new ones, so a profile that prints one renders differently each time; supported
 * because existing profiles may call them.
 */
public final class CertificateFunctions {
    /** sprig's certificate: two PEM texts. */
    private static final GoType CERTIFICATE = GoType.struct(
            "sprig.certificate",
            List.of(new GoType.Field("Cert", GoType.STRING), new GoType.Field("Key", GoType.STRING)));

    private static final int DEFAULT_RSA_BITS = 2048;

    private CertificateFunctions() {}

    public static void addTo(FunctionRegistry registry) {
        registry.add("genPrivateKey", "func(string) string", CertificateFunctions::privateKey);
        registry.add("buildCustomCert", signature("string, string"), CertificateFunctions::custom);
        registry.add("genCA", signature("string, int"), (env, args) -> authority(env, args, newKey(env)));
        registry.add(
                "genCAWithKey",
                signature("string, int, string"),
                (env, args) -> authority(env, args, givenKey(env, args.get(2))));
        registry.add(
                "genSelfSignedCert",
                signature("string, []any, []any, int"),
                (env, args) -> selfSigned(env, args, newKey(env)));
        registry.add(
                "genSelfSignedCertWithKey",
                signature("string, []any, []any, int, string"),
                (env, args) -> selfSigned(env, args, givenKey(env, args.get(4))));
        registry.add(
                "genSignedCert",
                signature("string, []any, []any, int, sprig.certificate"),
                (env, args) -> signed(env, args, newKey(env)));
        registry.add(
                "genSignedCertWithKey",
                signature("string, []any, []any, int, sprig.certificate, string"),
                (env, args) -> signed(env, args, givenKey(env, args.get(5))));
    }

    private static GoType signature(String parameters) {
        return GoTypeParser.parseFunction("func(" + parameters + ") (sprig.certificate, error)", CERTIFICATE);
    }

    private static AsymmetricKeyParameter newKey(ExecutionEnvironment environment) {
        return SprigPrivateKeys.rsa(DEFAULT_RSA_BITS, environment);
    }

    private static AsymmetricKeyParameter givenKey(ExecutionEnvironment environment, GoValue pem)
            throws GoCallException {
        try {
            return SprigPrivateKeys.parse(environment, text(pem));
        } catch (GoCallException unreadable) {
            throw new GoCallException("parsing private key: " + unreadable.text());
        }
    }

    private static GoValue privateKey(ExecutionEnvironment environment, List<GoValue> arguments) {
        String kind = text(arguments.getFirst());
        return GoString.ofBytes(
                switch (kind) {
                    case "", "rsa" -> SprigPrivateKeys.pem(SprigPrivateKeys.rsa(4096, environment));
                    case "dsa" -> SprigPrivateKeys.pem(SprigPrivateKeys.dsa(environment));
                    case "ecdsa" -> SprigPrivateKeys.pem(SprigPrivateKeys.p256(environment));
                    case "ed25519" -> SprigPrivateKeys.pem(SprigPrivateKeys.ed25519(environment));
                    default -> "Unknown type " + kind;
                });
    }

    /** An existing certificate and key, both in base64 of PEM; they need not match. */
    private static GoValue custom(ExecutionEnvironment environment, List<GoValue> arguments) throws GoCallException {
        String certificate = fromBase64(arguments.getFirst(), "certificate");
        String key = fromBase64(arguments.get(1), "private key");
        readCertificate(certificate, "error parsing certificate: decodedCert.Bytes: x509: malformed certificate");
        try {
            SprigPrivateKeys.parse(environment, key);
        } catch (GoCallException unreadable) {
            throw new GoCallException("error parsing private key: " + unreadable.text());
        }
        return certificate(certificate, key);
    }

    private static String fromBase64(GoValue encoded, String what) throws GoCallException {
        try {
            return ByteStrings.string(ByteStrings.decodeBase64(text(encoded))).bytes();
        } catch (GoCallException invalid) {
            throw new GoCallException("unable to decode base64 " + what);
        }
    }

    private static X509CertificateHolder readCertificate(String text, String complaint) throws GoCallException {
        SprigPemBlock pem = SprigPemBlock.first(text);
        if (pem == null) {
            throw new GoCallException("unable to decode certificate");
        }
        try {
            return new X509CertificateHolder(pem.content());
        } catch (IOException malformed) {
            throw new GoCallException(complaint);
        }
    }

    private static GoValue authority(
            ExecutionEnvironment environment, List<GoValue> arguments, AsymmetricKeyParameter key)
            throws GoCallException {
        UnsignedCertificate issue = new UnsignedCertificate(
                text(arguments.getFirst()), List.of(), List.of(), number(arguments.get(1)), true);
        return certificate(issue.sign(key, null, environment), SprigPrivateKeys.pem(key));
    }

    private static GoValue selfSigned(
            ExecutionEnvironment environment, List<GoValue> arguments, AsymmetricKeyParameter key)
            throws GoCallException {
        return certificate(serverCertificate(arguments).sign(key, null, environment), SprigPrivateKeys.pem(key));
    }

    private static GoValue signed(ExecutionEnvironment environment, List<GoValue> arguments, AsymmetricKeyParameter key)
            throws GoCallException {
        GoStruct authority = (GoStruct) arguments.get(4);
        SprigArguments.chargeText(environment, 4L * text(authority.field(0)).length());
        UnsignedCertificate.Issuer issuer = new UnsignedCertificate.Issuer(
                readCertificate(text(authority.field(0)), "error parsing certificate: x509: malformed certificate"),
                signerKey(environment, authority.field(1)));
        return certificate(serverCertificate(arguments).sign(key, issuer, environment), SprigPrivateKeys.pem(key));
    }

    private static AsymmetricKeyParameter signerKey(ExecutionEnvironment environment, GoValue pem)
            throws GoCallException {
        try {
            return SprigPrivateKeys.parse(environment, text(pem));
        } catch (GoCallException unreadable) {
            throw new GoCallException("error parsing private key: " + unreadable.text());
        }
    }

    /** A certificate for server and client, from the arguments common name, addresses, DNS names and days. */
    private static UnsignedCertificate serverCertificate(List<GoValue> arguments) throws GoCallException {
        List<byte[]> addresses = new ArrayList<>();
        for (String text : strings(arguments.get(1), "error parsing ip")) {
            byte[] address = IpAddressFormat.parseShort(text);
            if (address == null) {
                throw new GoCallException("error parsing ip: " + text);
            }
            addresses.add(address);
        }
        List<String> names = strings(arguments.get(2), "error processing alternate dns name");
        return new UnsignedCertificate(text(arguments.getFirst()), addresses, names, number(arguments.get(3)), false);
    }

    private static List<String> strings(GoValue list, String complaint) throws GoCallException {
        List<String> strings = new ArrayList<>();
        for (GoValue item : ((GoSlice) list).elements()) {
            if (!(item instanceof GoString string) || !string.type().equals(GoType.STRING)) {
                throw new GoCallException(complaint + ": " + GoPrint.display(item) + " is not a string");
            }
            strings.add(string.bytes());
        }
        return strings;
    }

    private static String text(GoValue string) {
        return ((GoString) string).bytes();
    }

    private static long number(GoValue integer) {
        return ((GoInt) integer).value();
    }

    private static GoValue certificate(String certificate, String key) {
        return GoStruct.of(CERTIFICATE, List.of(GoString.ofBytes(certificate), GoString.ofBytes(key)));
    }

    /**
     * A certificate to be issued: the content of sprig's template, in Go's encoding.
     *
     * @param commonName a byte string
     * @param addresses of 4 or 16 bytes
     * @param names DNS names as byte strings
     * @param authority true for a certificate that signs others
     */
    private record UnsignedCertificate(
            String commonName, List<byte[]> addresses, List<String> names, long daysValid, boolean authority) {
        /** The issuer: its certificate and private key. */
        record Issuer(X509CertificateHolder certificate, AsymmetricKeyParameter key) {}

        private static final int SIGNING_STEPS = 25_000;
        private static final int SMALLEST_RSA_BITS = 1024;
        private static final int SERIAL_BITS = 128;
        private static final int KEY_ID_BYTES = 20;
        /** Position of the issuer in the signed part: after version, serial number and algorithm. */
        private static final int ISSUER = 3;

        private static final int CHARS_PER_STEP = 16;
        /** Approximate number of copies of a name on its way to the PEM text. */
        private static final int COPIES = 8;

        UnsignedCertificate {
            addresses = List.copyOf(addresses);
            names = List.copyOf(names);
        }

        /**
         * Issues the certificate for {@code key}, signed by {@code issuer}, or self-signed if null.
         *
         * @return PEM
         */
        String sign(AsymmetricKeyParameter key, @Nullable Issuer issuer, ExecutionEnvironment environment)
                throws GoCallException {
            long chars = commonName.length() + (long) addresses.size() * SprigArguments.SLOT_BYTES;
            for (String name : names) {
                chars += name.length() + SprigArguments.SLOT_BYTES;
            }
            environment.charge(SIGNING_STEPS + chars / CHARS_PER_STEP, COPIES * chars);
            try {
                return new SprigPemBlock("CERTIFICATE", signed(key, issuer, environment)).text();
            } catch (GoCallException refused) {
                throw new GoCallException("error creating certificate: " + refused.text());
            } catch (IOException impossible) {
                throw new UncheckedIOException("nothing is written but memory", impossible);
            }
        }

        private byte[] signed(AsymmetricKeyParameter key, @Nullable Issuer issuer, ExecutionEnvironment environment)
                throws GoCallException, IOException {
            AsymmetricKeyParameter signingKey = issuer == null ? key : issuer.key();
            AsymmetricKeyParameter signingPublicKey = SprigPrivateKeys.publicKey(signingKey);
            if (signingPublicKey == null) {
                throw new GoCallException("x509: certificate private key does not implement crypto.Signer");
            }
            AsymmetricKeyParameter publicKey = SprigPrivateKeys.publicKey(key);
            if (publicKey == null) {
                throw new GoCallException("x509: unsupported public key type: "
                        + (key instanceof DSAPrivateKeyParameters ? "*dsa.PublicKey" : "*ecdh.PublicKey"));
            }
            X500Name subject = subject();
            SubjectPublicKeyInfo publicKeyInfo = SubjectPublicKeyInfoFactory.createSubjectPublicKeyInfo(publicKey);
            Instant start = environment.now().truncatedTo(ChronoUnit.SECONDS);
            X500Name issuerName =
                    issuer == null ? subject : issuer.certificate().getSubject();
            boolean hasIssuer = issuerName.getRDNs().length > 0;
            X509v3CertificateBuilder builder = new X509v3CertificateBuilder(
                    hasIssuer ? issuerName : new X500Name("CN=none"),
                    new BigInteger(SERIAL_BITS, EnvironmentSecureRandom.of(environment)),
                    Date.from(start),
                    Date.from(end(start)),
                    subject,
                    publicKeyInfo);
            addExtensions(builder, subject, publicKeyInfo, issuer);
            requireMatch(issuer, signingPublicKey);
            X509CertificateHolder certificate = builder.build(signer(signingKey, environment));
            return hasIssuer ? certificate.getEncoded() : withoutIssuer(certificate, signer(signingKey, environment));
        }

        /** Unlike Go, Bouncy Castle cannot build a certificate with an empty issuer: its name is replaced before signing. */
        private static byte[] withoutIssuer(X509CertificateHolder certificate, ContentSigner signer)
                throws IOException {
            ASN1EncodableVector fields = new ASN1EncodableVector();
            for (ASN1Encodable field : ASN1Sequence.getInstance(
                    certificate.toASN1Structure().getTBSCertificate().toASN1Primitive())) {
                fields.add(fields.size() == ISSUER ? new DERSequence() : field);
            }
            ASN1Sequence content = new DERSequence(fields);
            signer.getOutputStream().write(content.getEncoded(ASN1Encoding.DER));
            return new DERSequence(new ASN1Encodable[] {
                        content, signer.getAlgorithmIdentifier(), new DERBitString(signer.getSignature())
                    })
                    .getEncoded(ASN1Encoding.DER);
        }

        /** Go counts in 64 bits of nanoseconds and wraps after 292 years. */
        private Instant end(Instant start) {
            long nanos = daysValid * ChronoUnit.DAYS.getDuration().toNanos();
            return start.plusNanos(nanos).truncatedTo(ChronoUnit.SECONDS);
        }

        private X500Name subject() throws GoCallException {
            X500NameBuilder name = new X500NameBuilder();
            if (!commonName.isEmpty()) {
                String text = strictText(commonName);
                ASN1Encodable value = DERPrintableString.isPrintableString(text)
                        ? new DERPrintableString(text)
                        : new DERUTF8String(text);
                name.addRDN(BCStyle.CN, value);
            }
            return name.build();
        }

        private static String strictText(String bytes) throws GoCallException {
            try {
                return StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1)))
                        .toString();
            } catch (CharacterCodingException invalid) {
                throw new GoCallException("asn1: string not valid UTF-8");
            }
        }

        private void addExtensions(
                X509v3CertificateBuilder builder,
                X500Name subject,
                SubjectPublicKeyInfo publicKey,
                @Nullable Issuer issuer)
                throws GoCallException, IOException {
            int usage = KeyUsage.digitalSignature | KeyUsage.keyEncipherment | (authority ? KeyUsage.keyCertSign : 0);
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(usage));
            builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(new KeyPurposeId[] {
                KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth
            }));
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
            if (authority) {
                builder.addExtension(Extension.subjectKeyIdentifier, false, new SubjectKeyIdentifier(keyId(publicKey)));
            }
            SubjectKeyIdentifier issuerKeyId = issuer == null ? null : keyIdOf(issuer.certificate());
            if (issuer != null
                    && issuerKeyId != null
                    && !issuer.certificate().getSubject().equals(subject)) {
                builder.addExtension(
                        Extension.authorityKeyIdentifier,
                        false,
                        new AuthorityKeyIdentifier(issuerKeyId.getKeyIdentifier()));
            }
            List<GeneralName> alternatives = alternatives();
            if (!alternatives.isEmpty()) {
                builder.addExtension(
                        Extension.subjectAlternativeName,
                        commonName.isEmpty(),
                        new GeneralNames(alternatives.toArray(GeneralName[]::new)));
            }
        }

        private static @Nullable SubjectKeyIdentifier keyIdOf(X509CertificateHolder certificate) {
            return certificate.getExtensions() == null
                    ? null
                    : SubjectKeyIdentifier.fromExtensions(certificate.getExtensions());
        }

        /** RFC 7093, method 1: the first 160 bits of the SHA-256 of the public key. */
        private static byte[] keyId(SubjectPublicKeyInfo publicKey) {
            byte[] bits = publicKey.getPublicKeyData().getBytes();
            SHA256Digest digest = new SHA256Digest();
            digest.update(bits, 0, bits.length);
            byte[] sum = new byte[digest.getDigestSize()];
            digest.doFinal(sum, 0);
            return Arrays.copyOf(sum, KEY_ID_BYTES);
        }

        private List<GeneralName> alternatives() throws GoCallException {
            List<GeneralName> alternatives = new ArrayList<>();
            for (String name : names) {
                if (name.chars().anyMatch(c -> c > 127)) {
                    throw new GoCallException("x509: " + GoQuote.quote(name) + " cannot be encoded as an IA5String");
                }
                alternatives.add(new GeneralName(GeneralName.dNSName, name));
            }
            for (byte[] address : addresses) {
                alternatives.add(new GeneralName(GeneralName.iPAddress, new DEROctetString(address)));
            }
            return alternatives;
        }

        private static void requireMatch(@Nullable Issuer issuer, AsymmetricKeyParameter signingPublicKey)
                throws GoCallException, IOException {
            if (issuer != null
                    && !SubjectPublicKeyInfoFactory.createSubjectPublicKeyInfo(signingPublicKey)
                            .equals(issuer.certificate().getSubjectPublicKeyInfo())) {
                throw new GoCallException("x509: provided PrivateKey doesn't match parent's PublicKey");
            }
        }

        private static ContentSigner signer(AsymmetricKeyParameter key, ExecutionEnvironment environment)
                throws GoCallException {
            try {
                return signerBuilder(key)
                        .setSecureRandom(EnvironmentSecureRandom.of(environment))
                        .build(key);
            } catch (OperatorCreationException refused) {
                throw new IllegalStateException("the kinds of keys were checked before", refused);
            }
        }

        private static BcContentSignerBuilder signerBuilder(AsymmetricKeyParameter key) throws GoCallException {
            return switch (key) {
                case RSAKeyParameters rsa -> {
                    int bits = rsa.getModulus().bitLength();
                    if (bits < SMALLEST_RSA_BITS) {
                        throw new GoCallException("crypto/rsa: " + bits + "-bit keys are insecure");
                    }
                    yield new BcRSAContentSignerBuilder(signature("SHA256WITHRSA"), digest("SHA256WITHRSA"));
                }
                case ECPrivateKeyParameters ec -> {
                    int bits = ec.getParameters().getN().bitLength();
                    String name = (bits <= 256 ? "SHA256" : bits <= 384 ? "SHA384" : "SHA512") + "WITHECDSA";
                    yield new BcECContentSignerBuilder(signature(name), digest(name));
                }
                default -> new BcEdECContentSignerBuilder(signature("ED25519"));
            };
        }

        private static AlgorithmIdentifier signature(String name) {
            return new DefaultSignatureAlgorithmIdentifierFinder().find(name);
        }

        private static AlgorithmIdentifier digest(String signatureName) {
            return new DefaultDigestAlgorithmIdentifierFinder().find(signature(signatureName));
        }
    }
}
