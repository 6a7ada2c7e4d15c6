package io.osmhub.api.certificate;

import io.osmhub.tenancy.watch.ManagementWatch;
import io.osmhub.tenancy.watch.QuietListener;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.Selection;
import io.osmhub.workersync.watch.Surroundings;
import java.security.GeneralSecurityException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A certificate from a Secret of type {@code kubernetes.io/tls} that somebody else renews. One that cannot be used, and one that is
 * deleted, leave the certificate that is shown as it is.
 */
public final class SecretCertificate extends WebhookCertificate {
    private static final Logger LOG = LoggerFactory.getLogger(SecretCertificate.class);

    private final KubeApi management;
    private final String secret;
    private final ManagementWatch<StoredCertificate> watch;
    private volatile @Nullable String problem;

    /** @param namespace the hub's own */
    public SecretCertificate(KubeApi management, String namespace, String name, Surroundings around) {
        super(around.timers()::now);
        this.management = management;
        this.secret = namespace + "/" + name;
        this.problem = "Secret " + secret + " was not read yet";
        this.watch = new ManagementWatch<>(
                Selection.where(Resource.SECRETS, namespace, "metadata.name=" + name),
                StoredCertificate::of,
                (key, before, after, origin) -> changed(after),
                new QuietListener() {
                    @Override
                    public void failed(ApiFailure cause, int inARow) {
                        report("Secret " + secret + " cannot be read: " + cause.text());
                    }

                    @Override
                    public void refused(ApiFailure cause) {
                        report("Secret " + secret + " cannot be read: " + cause.text());
                    }
                },
                around);
    }

    private void changed(@Nullable StoredCertificate stored) {
        if (stored == null) {
            report("Secret " + secret + " is gone");
            return;
        }
        try {
            show(stored.leaf(), "", null);
            problem = null;
        } catch (GeneralSecurityException e) {
            report("Secret " + secret + ": " + e.getMessage());
        }
    }

    private void report(String what) {
        if (!what.equals(problem)) {
            LOG.atWarn().addKeyValue("cause", what).log("The provided certificate cannot be used");
        }
        problem = what;
    }

    @Override
    public void start() {
        watch.start(management);
    }

    @Override
    public void stop() {
        watch.stop();
    }

    @Override
    public @Nullable String problem() {
        return problem;
    }
}
