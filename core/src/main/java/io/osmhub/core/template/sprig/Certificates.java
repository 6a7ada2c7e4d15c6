package io.osmhub.core.template.sprig;

import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.Int;
import io.osmhub.core.golang.Signatures;
import io.osmhub.core.golang.Slice;
import io.osmhub.core.golang.Str;
import io.osmhub.core.golang.Struct;
import io.osmhub.core.golang.Type;
import io.osmhub.core.golang.Value;
import io.osmhub.core.golang.text.GoPrint;
import io.osmhub.core.golang.wellknown.IpText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.crypto.params.AsymmetricKeyParameter;

/**
 * Private keys and certificates. Every call makes new ones, so a profile that prints one renders differently each time;
 * these functions are here because existing profiles may call them.
 */
public final class Certificates {
    /** sprig's certificate: two PEM texts. */
    private static final Type CERTIFICATE = Type.struct(
            "sprig.certificate", List.of(new Type.Field("Cert", Type.STRING), new Type.Field("Key", Type.STRING)));

    private static final int DEFAULT_RSA_BITS = 2048;

    private Certificates() {}

    public static void addTo(Registry registry) {
        registry.add("genPrivateKey", "func(string) string", Certificates::privateKey);
        registry.add("buildCustomCert", signature("string, string"), Certificates::custom);
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

    private static Type signature(String parameters) {
        return Signatures.func("func(" + parameters + ") (sprig.certificate, error)", CERTIFICATE);
    }

    private static AsymmetricKeyParameter newKey(Environment environment) {
        return PrivateKeys.rsa(DEFAULT_RSA_BITS, environment);
    }

    private static AsymmetricKeyParameter givenKey(Environment environment, Value pem) throws CallFailure {
        try {
            return PrivateKeys.parse(environment, text(pem));
        } catch (CallFailure unreadable) {
            throw new CallFailure("parsing private key: " + unreadable.text());
        }
    }

    private static Value privateKey(Environment environment, List<Value> arguments) {
        String kind = text(arguments.getFirst());
        return Str.ofBytes(
                switch (kind) {
                    case "", "rsa" -> PrivateKeys.pem(PrivateKeys.rsa(4096, environment));
                    case "dsa" -> PrivateKeys.pem(PrivateKeys.dsa(environment));
                    case "ecdsa" -> PrivateKeys.pem(PrivateKeys.p256(environment));
                    case "ed25519" -> PrivateKeys.pem(PrivateKeys.ed25519(environment));
                    default -> "Unknown type " + kind;
                });
    }

    /** Takes a certificate and key that exist already, both in base64 of PEM; they need not belong together. */
    private static Value custom(Environment environment, List<Value> arguments) throws CallFailure {
        String certificate = fromBase64(arguments.getFirst(), "certificate");
        String key = fromBase64(arguments.get(1), "private key");
        readCertificate(certificate, "error parsing certificate: decodedCert.Bytes: x509: malformed certificate");
        try {
            PrivateKeys.parse(environment, key);
        } catch (CallFailure unreadable) {
            throw new CallFailure("error parsing private key: " + unreadable.text());
        }
        return certificate(certificate, key);
    }

    private static String fromBase64(Value encoded, String what) throws CallFailure {
        try {
            return Bytes.string(Bytes.fromBase64(text(encoded))).bytes();
        } catch (CallFailure invalid) {
            throw new CallFailure("unable to decode base64 " + what);
        }
    }

    private static X509CertificateHolder readCertificate(String text, String complaint) throws CallFailure {
        Pem pem = Pem.first(text);
        if (pem == null) {
            throw new CallFailure("unable to decode certificate");
        }
        try {
            return new X509CertificateHolder(pem.content());
        } catch (IOException malformed) {
            throw new CallFailure(complaint);
        }
    }

    private static Value authority(Environment environment, List<Value> arguments, AsymmetricKeyParameter key)
            throws CallFailure {
        CertificateIssue issue =
                new CertificateIssue(text(arguments.getFirst()), List.of(), List.of(), number(arguments.get(1)), true);
        return certificate(issue.sign(key, null, environment), PrivateKeys.pem(key));
    }

    private static Value selfSigned(Environment environment, List<Value> arguments, AsymmetricKeyParameter key)
            throws CallFailure {
        return certificate(serverCertificate(arguments).sign(key, null, environment), PrivateKeys.pem(key));
    }

    private static Value signed(Environment environment, List<Value> arguments, AsymmetricKeyParameter key)
            throws CallFailure {
        Struct authority = (Struct) arguments.get(4);
        Arguments.chargeText(environment, 4L * text(authority.field(0)).length());
        CertificateIssue.Issuer issuer = new CertificateIssue.Issuer(
                readCertificate(text(authority.field(0)), "error parsing certificate: x509: malformed certificate"),
                signerKey(environment, authority.field(1)));
        return certificate(serverCertificate(arguments).sign(key, issuer, environment), PrivateKeys.pem(key));
    }

    private static AsymmetricKeyParameter signerKey(Environment environment, Value pem) throws CallFailure {
        try {
            return PrivateKeys.parse(environment, text(pem));
        } catch (CallFailure unreadable) {
            throw new CallFailure("error parsing private key: " + unreadable.text());
        }
    }

    /** The certificate of a server and client, from the arguments common name, addresses, DNS names and days. */
    private static CertificateIssue serverCertificate(List<Value> arguments) throws CallFailure {
        List<byte[]> addresses = new ArrayList<>();
        for (String text : strings(arguments.get(1), "error parsing ip")) {
            byte[] address = IpText.parseShort(text);
            if (address == null) {
                throw new CallFailure("error parsing ip: " + text);
            }
            addresses.add(address);
        }
        List<String> names = strings(arguments.get(2), "error processing alternate dns name");
        return new CertificateIssue(text(arguments.getFirst()), addresses, names, number(arguments.get(3)), false);
    }

    private static List<String> strings(Value list, String complaint) throws CallFailure {
        List<String> strings = new ArrayList<>();
        for (Value item : ((Slice) list).elements()) {
            if (!(item instanceof Str string) || !string.type().equals(Type.STRING)) {
                throw new CallFailure(complaint + ": " + GoPrint.display(item) + " is not a string");
            }
            strings.add(string.bytes());
        }
        return strings;
    }

    private static String text(Value string) {
        return ((Str) string).bytes();
    }

    private static long number(Value integer) {
        return ((Int) integer).value();
    }

    private static Value certificate(String certificate, String key) {
        return Struct.of(CERTIFICATE, List.of(Str.ofBytes(certificate), Str.ofBytes(key)));
    }
}
