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

/** Reads certificate authority and credential of the context that was taken. */
final class CredentialReader {
    private static final String DATA = "-data";
    private static final String BASE64 = "encode it in one line: base64 -w0 FILE";

    private final Refusals refusals;
    private final @Nullable FileContents files;

    CredentialReader(Refusals refusals, @Nullable FileContents files) {
        this.refusals = refusals;
        this.files = files;
    }

    /** The credential, and when it is valid. */
    record Read(
            WorkerCredential credential,
            @Nullable Instant from,
            @Nullable Instant until) {}

    /** Null when there is none, or when something is wrong with it, which is then among the refusals. */
    @Nullable Read credential(Section.Entry user) {
        String token = token(user);
        byte[] certificate = data(user, "client-certificate");
        byte[] key = data(user, "client-key");
        if (token == null && certificate == null && key == null) {
            refuseMissing(user);
            return null;
        }
        if (token != null && (certificate != null || key != null)) {
            refusals.invalid(
                    user.path() + ".token",
                    "stands beside a client certificate, so that it is not clear who the hub is",
                    "keep one of the two");
            return null;
        }
        if (token != null) {
            TokenLife life = TokenLife.of(token);
            return new Read(new WorkerCredential.Token(new Sensitive(token)), life.from(), life.until());
        }
        if (certificate == null || key == null) {
            refusals.invalid(
                    user.path() + (certificate == null ? ".client-certificate-data" : ".client-key-data"),
                    "is missing",
                    "a client certificate and its key go together");
            return null;
        }
        return clientCertificate(user, certificate, key);
    }

    private void refuseMissing(Section.Entry user) {
        // A refused credential is said to be wrong already.
        if (!refusals.hasAnyBelow(user.path())) {
            refusals.invalid(
                    user.path(), "has no credential", "give a token, or client-certificate-data and client-key-data");
        }
    }

    private @Nullable String token(Section.Entry user) {
        String token = Section.text(user.body(), "token", user.path(), refusals);
        String file = files == null ? "" : Section.text(user.body(), "tokenFile", user.path(), refusals);
        if (!file.isEmpty()) {
            byte[] content = file(user.path() + ".tokenFile", file);
            token = content == null ? "" : new String(content, UTF_8).strip();
        }
        if (token.isEmpty()) {
            return null;
        }
        for (int i = 0; i < token.length(); i++) {
            if (token.charAt(i) <= ' ' || token.charAt(i) > '~') {
                refusals.invalid(
                        user.path() + (file.isEmpty() ? ".token" : ".tokenFile"),
                        "has a blank, a line break or another character that no token has",
                        "write the token in one line without blanks around it");
                return null;
            }
        }
        return token;
    }

    private @Nullable Read clientCertificate(Section.Entry user, byte[] certificatePem, byte[] keyPem) {
        String pem = new String(certificatePem, ISO_8859_1);
        String wrong = PemBundle.mistake(pem);
        if (wrong != null) {
            refusals.invalid(user.path() + ".client-certificate-data", wrong, PemBundle.CURE);
            return null;
        }
        List<X509Certificate> chain = PemBundle.certificates(pem);
        X509Certificate own = chain.getFirst();
        PrivateKeys.Reading key = PrivateKeys.read(keyPem, own.getPublicKey());
        Sensitive pkcs8 = key.pkcs8Pem();
        if (pkcs8 == null) {
            refusals.invalid(user.path() + ".client-key-data", String.valueOf(key.wrong()), key.cure());
            return null;
        }
        return new Read(
                new WorkerCredential.ClientCertificate(PemBundle.of(chain), pkcs8),
                own.getNotBefore().toInstant(),
                own.getNotAfter().toInstant());
    }

    /** The authorities that the server is verified with, as PEM; null when none are given or none can be read. */
    @Nullable String certificateAuthority(Section.Entry cluster, boolean insecure) {
        byte[] pem = data(cluster, "certificate-authority");
        String field = cluster.path() + ".certificate-authority-data";
        if (pem == null) {
            if (!insecure && !refusals.hasAnyBelow(cluster.path() + ".certificate-authority")) {
                refusals.invalid(field, "is missing", "give the certificate authority of the API server in base64");
            }
            return null;
        }
        if (insecure) {
            refusals.invalid(
                    cluster.path() + ".insecure-skip-tls-verify",
                    "contradicts certificate-authority-data",
                    "keep one of the two");
            return null;
        }
        String text = new String(pem, ISO_8859_1);
        String wrong = PemBundle.mistake(text);
        if (wrong != null) {
            refusals.invalid(field, wrong, PemBundle.CURE);
            return null;
        }
        return PemBundle.of(PemBundle.certificates(text));
    }

    /** The decoded content of a {@code -data} field, or of the file beside it when files may be read; null when absent. */
    private byte @Nullable [] data(Section.Entry entry, String name) {
        String text = Section.text(entry.body(), name + DATA, entry.path(), refusals);
        if (text.isEmpty()) {
            String file = files == null ? "" : Section.text(entry.body(), name, entry.path(), refusals);
            return file.isEmpty() ? null : file(entry.path() + "." + name, file);
        }
        String field = entry.path() + "." + name + DATA;
        if (text.startsWith("-----BEGIN")) {
            refusals.invalid(field, "is PEM and not in base64", BASE64);
            return null;
        }
        try {
            // Line breaks are what Go's decoder passes over too.
            return Base64.getDecoder().decode(text.replaceAll("[\r\n]", ""));
        } catch (IllegalArgumentException e) {
            refusals.invalid(field, "is not base64", BASE64);
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
            refusals.invalid(
                    field, "cannot be read (" + e.getMessage() + ")", "correct the path, or the file's rights");
            return null;
        }
    }
}
