package io.osmhub.tenancy.certificate;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.tenancy.certificate.CertificateKeyPair.CertificatePem;
import io.osmhub.tenancy.renewal.RenewalLoop;
import io.osmhub.workersync.watch.RuntimeContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A certificate from files that another program renews. Unusable files leave the active certificate unchanged. */
public final class FileCertificate extends WebhookCertificate {
    private static final Logger LOG = LoggerFactory.getLogger(FileCertificate.class);
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);

    private final Path certificateFile;
    private final Path keyFile;
    private final @Nullable Path authorityFile;
    private final RenewalLoop loop;
    private volatile @Nullable String problem;
    private Content read = new Content("", "", "");

    /** Contents of the files. */
    private record Content(String certificate, String key, String authority) {
        /** Omits the key. */
        @Override
        public String toString() {
            return "Content";
        }
    }

    /** @param authorityFile null if callers already trust the authority */
    public FileCertificate(Path certificateFile, Path keyFile, @Nullable Path authorityFile, RuntimeContext around) {
        super(around.scheduler()::now);
        this.certificateFile = certificateFile;
        this.keyFile = keyFile;
        this.authorityFile = authorityFile;
        this.loop = RenewalLoop.every(BETWEEN_LOOKS, "Read of " + certificateFile, this::load, around);
    }

    @Override
    public void start() {
        loop.wake();
    }

    /** Reads the files now, so that startup fails if they are unusable. */
    public synchronized void load() {
        try {
            Content now = new Content(
                    Files.readString(certificateFile, UTF_8),
                    Files.readString(keyFile, UTF_8),
                    authorityFile == null ? "" : Files.readString(authorityFile, UTF_8));
            if (now.equals(read) && problem == null) {
                return;
            }
            CertificateKeyPair leaf = CertificateKeyPair.read(now.certificate(), now.key());
            List<X509Certificate> trusted =
                    now.authority().isEmpty() ? List.of() : CertificatePem.readCertificates(now.authority());
            activate(
                    leaf,
                    trusted.isEmpty() ? "" : CertificatePem.encode(trusted),
                    trusted.isEmpty() ? null : trusted.getFirst().getNotAfter().toInstant());
            read = now;
            problem = null;
        } catch (IOException e) {
            // The exception's message is the file's path.
            report("cannot read " + e.getMessage());
        } catch (GeneralSecurityException e) {
            // During a replacement the files do not match for a moment; the next read succeeds.
            report(certificateFile + " with " + keyFile + ": " + e.getMessage());
        }
    }

    private void report(String what) {
        if (!what.equals(problem)) {
            LOG.atWarn().addKeyValue("cause", what).log("Provided certificate is unusable");
        }
        problem = what;
    }

    @Override
    public void stop() {
        loop.stop();
    }

    @Override
    public @Nullable String problem() {
        return problem;
    }
}
