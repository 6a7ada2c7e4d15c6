package io.osmhub.tenancy.kubeconfig;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.model.Sensitive;
import io.osmhub.core.settings.PemBundle;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads certificate authority and credential of the selected context.
 *
 * @param files null if no file may be read
 */
record CredentialReader(
        KubeconfigFindings findings, @Nullable KubeconfigFileReader files) {
    private static final String CERTIFICATE = "client-certificate";
    private static final String KEY = "client-key";
    private static final String AUTHORITY = "certificate-authority";
    private static final String DATA = "-data";
    private static final String BASE64 = "encode it in one line: base64 -w0 FILE";
    private static final Pattern TOKEN = Pattern.compile("[!-~]+");

    /** The credential and its validity. */
    record ParsedCredential(
            WorkerCredential credential,
            @Nullable Instant from,
            @Nullable Instant until) {}

    /** Returns null if there is none, or it is invalid, which is then among the findings. */
    @Nullable ParsedCredential credential(KubeconfigEntry user) {
        String token = token(user);
        byte[] certificate = data(user, CERTIFICATE);
        byte[] key = data(user, KEY);
        boolean halved = (certificate == null) != (key == null);
        if (findings.hasAnyBelow(user.path() + ".token")) {
            return null;
        }
        if (!token.isEmpty() && (certificate != null || key != null)) {
            findings.addInvalid(user.path("token"), "conflicts with a client certificate", "remove one of the two");
        } else if (!token.isEmpty()) {
            TokenValidity validity = TokenValidity.of(token);
            return new ParsedCredential(
                    new WorkerCredential.Token(new Sensitive(token)), validity.from(), validity.until());
        } else if (certificate != null && key != null) {
            return clientCertificate(user, certificate, key);
        } else if (halved) {
            findings.addInvalid(
                    user.path((certificate == null ? CERTIFICATE : KEY) + DATA),
                    "is missing",
                    "a client certificate and its key go together");
        } else if (!findings.hasAnyBelow(user.path())) {
            findings.addInvalid(
                    user.path(), "has no credential", "use a token, or client-certificate-data and client-key-data");
        }
        return null;
    }

    private String token(KubeconfigEntry user) {
        String file = user.get("tokenFile");
        byte[] content = file.isEmpty() ? null : file(user.path("tokenFile"), file);
        String token = content == null ? user.get("token") : new String(content, UTF_8).strip();
        if (!token.isEmpty() && !TOKEN.matcher(token).matches()) {
            findings.addInvalid(
                    user.path(file.isEmpty() ? "token" : "tokenFile"),
                    "contains a blank, a line break or another invalid character",
                    "write the token in one line without surrounding blanks");
        }
        return token;
    }

    private @Nullable ParsedCredential clientCertificate(KubeconfigEntry user, byte[] certificatePem, byte[] keyPem) {
        List<X509Certificate> chain = certificates(user.path(CERTIFICATE + DATA), certificatePem);
        if (chain.isEmpty()) {
            return null;
        }
        X509Certificate own = chain.getFirst();
        try {
            return new ParsedCredential(
                    new WorkerCredential.ClientCertificate(
                            PemBundle.of(chain), PrivateKeyParser.read(keyPem, own.getPublicKey())),
                    own.getNotBefore().toInstant(),
                    own.getNotAfter().toInstant());
        } catch (InvalidValueException e) {
            findings.addInvalid(user.path(KEY + DATA), e);
            return null;
        }
    }

    /** The authorities that verify the server, as PEM; null if there are none, or none can be read. */
    @Nullable String certificateAuthority(KubeconfigEntry cluster, boolean insecure) {
        byte[] pem = data(cluster, AUTHORITY);
        if (pem == null) {
            if (!insecure && !findings.hasAnyBelow(cluster.path(AUTHORITY))) {
                findings.addInvalid(
                        cluster.path(AUTHORITY + DATA),
                        "is missing",
                        "add the certificate authority of the API server in base64");
            }
            return null;
        }
        if (insecure) {
            findings.addInvalid(
                    cluster.path("insecure-skip-tls-verify"),
                    "contradicts certificate-authority-data",
                    "remove one of the two");
            return null;
        }
        return PemBundle.of(certificates(cluster.path(AUTHORITY + DATA), pem));
    }

    /** Empty if the text is invalid, which is then among the findings. */
    private List<X509Certificate> certificates(String field, byte[] content) {
        String pem = new String(content, ISO_8859_1);
        String wrong = PemBundle.findError(pem);
        if (wrong != null) {
            findings.addInvalid(field, wrong, PemBundle.CURE);
            return List.of();
        }
        return PemBundle.certificates(pem);
    }

    /** Decoded content of a {@code -data} field, or of the corresponding file if files may be read; null if absent. */
    private byte @Nullable [] data(KubeconfigEntry entry, String name) {
        String text = entry.get(name + DATA);
        if (text.isEmpty()) {
            return entry.get(name).isEmpty() ? null : file(entry.path(name), entry.get(name));
        }
        String field = entry.path(name + DATA);
        if (text.startsWith("-----BEGIN")) {
            findings.addInvalid(field, "is PEM, expected base64", BASE64);
            return null;
        }
        try {
            // Go's decoder skips line breaks too.
            return Base64.getDecoder().decode(text.replaceAll("[\r\n]", ""));
        } catch (IllegalArgumentException e) {
            findings.addInvalid(field, "is not valid base64", BASE64);
            return null;
        }
    }

    private byte @Nullable [] file(String field, String path) {
        try {
            return files == null ? null : files.read(path).getBytes(UTF_8);
        } catch (IOException e) {
            findings.addInvalid(
                    field, "cannot be read (" + e.getMessage() + ")", "correct the path, or the file's permissions");
            return null;
        }
    }
}
