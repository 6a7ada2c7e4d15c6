package io.osmhub.tenancy.certificate;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.tenancy.certificate.CertificateKeyPair.CertificatePem;
import io.osmhub.tenancy.management.RenewalLoop;
import io.osmhub.workersync.watch.RuntimeContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A certificate from files that another program renews. Unusable files leave the active certificate unchanged. */
public final class FileCertificate extends WebhookCertificate {
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);

    private final Path certificatePath;
    private final Path keyPath;
    private final @Nullable Path authorityPath;
    private final RenewalLoop renewalLoop;
    private Content loadedContent = new Content("", "", "");

    /** Contents of the files. */
    private record Content(String certificate, String key, String authority) {
        /** Omits the key. */
        @Override
        public String toString() {
            return "Content";
        }
    }

    /** @param authorityPath null if callers already trust the authority */
    public FileCertificate(
            Path certificatePath, Path keyPath, @Nullable Path authorityPath, RuntimeContext runtimeContext) {
        super(runtimeContext.scheduler()::now);
        this.certificatePath = certificatePath;
        this.keyPath = keyPath;
        this.authorityPath = authorityPath;
        this.renewalLoop = RenewalLoop.every(BETWEEN_LOOKS, "Read of " + certificatePath, this::load, runtimeContext);
    }

    @Override
    public void start() {
        renewalLoop.wake();
    }

    /** Reads the files now, so that startup fails if they are unusable. */
    public synchronized void load() {
        try {
            Content now = new Content(
                    Files.readString(certificatePath, UTF_8),
                    Files.readString(keyPath, UTF_8),
                    authorityPath == null ? "" : Files.readString(authorityPath, UTF_8));
            if (now.equals(loadedContent) && problem() == null) {
                return;
            }
            CertificateKeyPair leaf = CertificateKeyPair.read(now.certificate(), now.key());
            List<X509Certificate> trusted =
                    now.authority().isEmpty() ? List.of() : CertificatePem.readCertificates(now.authority());
            activate(
                    leaf,
                    trusted.isEmpty() ? "" : CertificatePem.encode(trusted),
                    trusted.isEmpty() ? null : trusted.getFirst().getNotAfter().toInstant());
            loadedContent = now;
        } catch (IOException e) {
            // The exception's message is the file's path.
            reportUnusable("cannot read " + e.getMessage());
        } catch (GeneralSecurityException e) {
            // During a replacement the files do not match for a moment; the next read succeeds.
            reportUnusable(certificatePath + " with " + keyPath + ": " + e.getMessage());
        }
    }

    @Override
    public void stop() {
        renewalLoop.stop();
    }
}
