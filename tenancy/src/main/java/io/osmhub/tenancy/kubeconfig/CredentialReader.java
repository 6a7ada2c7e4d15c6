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
import org.jspecify.annotations.Nullable;

/** Reads certificate authority and credential of the selected context. */
final class CredentialReader {
    private static final String DATA = "-data";
    private static final String BASE64 = "encode it in one line: base64 -w0 FILE";

    private final KubeconfigFindings refusals;
    private final @Nullable KubeconfigFileReader files;

    CredentialReader(KubeconfigFindings refusals, @Nullable KubeconfigFileReader files) {
        this.refusals = refusals;
        this.files = files;
    }

    /** The credential and its validity. */
    record ParsedCredential(
            WorkerCredential credential,
            @Nullable Instant from,
            @Nullable Instant until) {}

    /** Returns null if there is none, or it is invalid, which is then among the findings. */
    @Nullable ParsedCredential credential(KubeconfigSection.SectionEntry user) {
        String token = token(user);
        byte[] certificate = data(user, "client-certificate");
        byte[] key = data(user, "client-key");
        if (token == null && certificate == null && key == null) {
            refuseMissing(user);
            return null;
        }
        if (token != null && (certificate != null || key != null)) {
            refusals.addInvalid(user.path() + ".token", "conflicts with a client certificate", "remove one of the two");
            return null;
        }
        if (token != null) {
            TokenValidity life = TokenValidity.of(token);
            return new ParsedCredential(new WorkerCredential.Token(new Sensitive(token)), life.from(), life.until());
        }
        if (certificate == null || key == null) {
            refusals.addInvalid(
                    user.path() + (certificate == null ? ".client-certificate-data" : ".client-key-data"),
                    "is missing",
                    "a client certificate and its key go together");
            return null;
        }
        return clientCertificate(user, certificate, key);
    }

    private void refuseMissing(KubeconfigSection.SectionEntry user) {
        // An invalid credential has already been reported.
        if (!refusals.hasAnyBelow(user.path())) {
            refusals.addInvalid(
                    user.path(), "has no credential", "use a token, or client-certificate-data and client-key-data");
        }
    }

    private @Nullable String token(KubeconfigSection.SectionEntry user) {
        String token = KubeconfigSection.text(user.body(), "token", user.path(), refusals);
        String file = files == null ? "" : KubeconfigSection.text(user.body(), "tokenFile", user.path(), refusals);
        if (!file.isEmpty()) {
            byte[] content = file(user.path() + ".tokenFile", file);
            token = content == null ? "" : new String(content, UTF_8).strip();
        }
        if (token.isEmpty()) {
            return null;
        }
        for (int i = 0; i < token.length(); i++) {
            if (token.charAt(i) <= ' ' || token.charAt(i) > '~') {
                refusals.addInvalid(
                        user.path() + (file.isEmpty() ? ".token" : ".tokenFile"),
                        "contains a blank, a line break or another invalid character",
                        "write the token in one line without surrounding blanks");
                return null;
            }
        }
        return token;
    }

    private @Nullable ParsedCredential clientCertificate(
            KubeconfigSection.SectionEntry user, byte[] certificatePem, byte[] keyPem) {
        String pem = new String(certificatePem, ISO_8859_1);
        String wrong = PemBundle.findError(pem);
        if (wrong != null) {
            refusals.addInvalid(user.path() + ".client-certificate-data", wrong, PemBundle.CURE);
            return null;
        }
        List<X509Certificate> chain = PemBundle.certificates(pem);
        X509Certificate own = chain.getFirst();
        PrivateKeyParser.ParsedPrivateKey key = PrivateKeyParser.read(keyPem, own.getPublicKey());
        Sensitive pkcs8 = key.pkcs8Pem();
        if (pkcs8 == null) {
            refusals.addInvalid(user.path() + ".client-key-data", String.valueOf(key.wrong()), key.cure());
            return null;
        }
        return new ParsedCredential(
                new WorkerCredential.ClientCertificate(PemBundle.of(chain), pkcs8),
                own.getNotBefore().toInstant(),
                own.getNotAfter().toInstant());
    }

    /** The authorities that verify the server, as PEM; null if there are none, or none can be read. */
    @Nullable String certificateAuthority(KubeconfigSection.SectionEntry cluster, boolean insecure) {
        byte[] pem = data(cluster, "certificate-authority");
        String field = cluster.path() + ".certificate-authority-data";
        if (pem == null) {
            if (!insecure && !refusals.hasAnyBelow(cluster.path() + ".certificate-authority")) {
                refusals.addInvalid(field, "is missing", "add the certificate authority of the API server in base64");
            }
            return null;
        }
        if (insecure) {
            refusals.addInvalid(
                    cluster.path() + ".insecure-skip-tls-verify",
                    "contradicts certificate-authority-data",
                    "remove one of the two");
            return null;
        }
        String text = new String(pem, ISO_8859_1);
        String wrong = PemBundle.findError(text);
        if (wrong != null) {
            refusals.addInvalid(field, wrong, PemBundle.CURE);
            return null;
        }
        return PemBundle.of(PemBundle.certificates(text));
    }

    /** Decoded content of a {@code -data} field, or of the corresponding file if files may be read; null if absent. */
    private byte @Nullable [] data(KubeconfigSection.SectionEntry entry, String name) {
        String text = KubeconfigSection.text(entry.body(), name + DATA, entry.path(), refusals);
        if (text.isEmpty()) {
            String file = files == null ? "" : KubeconfigSection.text(entry.body(), name, entry.path(), refusals);
            return file.isEmpty() ? null : file(entry.path() + "." + name, file);
        }
        String field = entry.path() + "." + name + DATA;
        if (text.startsWith("-----BEGIN")) {
            refusals.addInvalid(field, "is PEM, expected base64", BASE64);
            return null;
        }
        try {
            // Go's decoder skips line breaks too.
            return Base64.getDecoder().decode(text.replaceAll("[\r\n]", ""));
        } catch (IllegalArgumentException e) {
            refusals.addInvalid(field, "is not valid base64", BASE64);
            return null;
        }
    }

    private byte @Nullable [] file(String field, String path) {
        if (files == null) {
            return null;
        }
        try {
            return files.read(path).getBytes(UTF_8);
        } catch (IOException e) {
            refusals.addInvalid(
                    field, "cannot be read (" + e.getMessage() + ")", "correct the path, or the file's permissions");
            return null;
        }
    }
}
