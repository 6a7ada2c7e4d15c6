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
import io.osmhub.core.golang.wellknown.IpAddressFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.crypto.params.AsymmetricKeyParameter;

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
}
