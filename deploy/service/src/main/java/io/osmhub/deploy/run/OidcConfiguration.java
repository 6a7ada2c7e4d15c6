package io.osmhub.deploy.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.api.access.OidcSignIn.OidcOptions;
import io.osmhub.core.model.Sensitive;
import io.osmhub.deploy.config.HubConfiguration.Oidc;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Reads the files of {@code api.oidc}. */
final class OidcConfiguration {
    private OidcConfiguration() {}

    /**
     * The sign-in with an OIDC provider; null if disabled.
     *
     * @throws IOException if the file with its CA certificates is not usable
     */
    static @Nullable OidcOptions read(Oidc oidc) throws IOException {
        if (oidc.issuer().isEmpty()) {
            return null;
        }
        String secret = oidc.clientSecretFile();
        return new OidcOptions(
                oidc.issuer().get(),
                oidc.clientId(),
                // For each sign-in, so that a changed secret needs no restart.
                () -> secret.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new Sensitive(
                                Files.readString(Path.of(secret), UTF_8).strip())),
                oidc.redirectURL().orElseThrow(),
                oidc.scopes(),
                tls(oidc.caFile()));
    }

    private static SSLContext tls(String caFile) throws IOException {
        try {
            if (caFile.isEmpty()) {
                return SSLContext.getDefault();
            }
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            try (InputStream file = Files.newInputStream(Path.of(caFile))) {
                Collection<? extends Certificate> certificates =
                        CertificateFactory.getInstance("X.509").generateCertificates(file);
                if (certificates.isEmpty()) {
                    throw new IOException("api.oidc.caFile: " + caFile + " contains no certificate");
                }
                for (Certificate certificate : certificates) {
                    store.setCertificateEntry("ca-" + store.size(), certificate);
                }
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (FileSystemException e) {
            throw new IOException("api.oidc.caFile: " + caFile + " cannot be read", e);
        } catch (GeneralSecurityException e) {
            throw new IOException("api.oidc.caFile: " + caFile + " is not a list of certificates in PEM", e);
        }
    }
}
