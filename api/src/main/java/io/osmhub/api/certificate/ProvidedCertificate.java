package io.osmhub.api.certificate;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.workersync.watch.Surroundings;
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

/** A certificate from files that somebody else renews. Files that cannot be used leave the one that is shown as it is. */
public final class ProvidedCertificate extends WebhookCertificate {
    private static final Logger LOG = LoggerFactory.getLogger(ProvidedCertificate.class);
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);

    private final Path certificateFile;
    private final Path keyFile;
    private final @Nullable Path authorityFile;
    private final Surroundings around;
    private volatile @Nullable String problem;
    private volatile boolean stopped;
    private Content read = new Content("", "", "");

    /** Texts of the files. */
    private record Content(String certificate, String key, String authority) {
        /** The key stays in memory only. */
        @Override
        public String toString() {
            return "Content";
        }
    }

    /** @param authorityFile null when callers know the authority already */
    public ProvidedCertificate(Path certificateFile, Path keyFile, @Nullable Path authorityFile, Surroundings around) {
        super(around.timers()::now);
        this.certificateFile = certificateFile;
        this.keyFile = keyFile;
        this.authorityFile = authorityFile;
        this.around = around;
    }

    @Override
    public void start() {
        around.waiting().execute(this::looks);
    }

    /** Reads the files now, so that whoever starts knows whether they can be used. */
    public void load() {
        look();
    }

    private void looks() {
        if (stopped) {
            return;
        }
        look();
        around.timers().after(BETWEEN_LOOKS, this::start);
    }

    private synchronized void look() {
        try {
            Content now = new Content(
                    Files.readString(certificateFile, UTF_8),
                    Files.readString(keyFile, UTF_8),
                    authorityFile == null ? "" : Files.readString(authorityFile, UTF_8));
            if (now.equals(read) && problem == null) {
                return;
            }
            KeyedCertificate leaf = KeyedCertificate.read(now.certificate(), now.key());
            List<X509Certificate> trusted = now.authority().isEmpty() ? List.of() : Pem.certificates(now.authority());
            show(
                    leaf,
                    trusted.isEmpty() ? "" : Pem.of(trusted),
                    trusted.isEmpty() ? null : trusted.getFirst().getNotAfter().toInstant());
            read = now;
            problem = null;
        } catch (IOException e) {
            // Its message is the path of the file.
            report("cannot read " + e.getMessage());
        } catch (GeneralSecurityException e) {
            // While both files are being replaced they do not fit for a moment; the next look finds them whole.
            report(certificateFile + " with " + keyFile + ": " + e.getMessage());
        }
    }

    private void report(String what) {
        if (!what.equals(problem)) {
            LOG.atWarn().addKeyValue("cause", what).log("The provided certificate cannot be used");
        }
        problem = what;
    }

    @Override
    public void stop() {
        stopped = true;
    }

    @Override
    public @Nullable String problem() {
        return problem;
    }
}
