package io.osmhub.tenancy.certificate;

import io.osmhub.tenancy.watch.ManagementInformer;
import io.osmhub.tenancy.watch.NoopListWatchListener;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import java.security.GeneralSecurityException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A certificate from a Secret of type {@code kubernetes.io/tls} that another program renews. A deleted or unusable Secret leaves the
 * active certificate unchanged.
 */
public final class SecretCertificate extends WebhookCertificate {
    private static final Logger LOG = LoggerFactory.getLogger(SecretCertificate.class);

    private final KubeApi management;
    private final String secret;
    private final ManagementInformer<StoredSecret> watch;
    private volatile @Nullable String problem;

    /** @param namespace the hub's own */
    public SecretCertificate(KubeApi management, String namespace, String name, RuntimeContext around) {
        super(around.scheduler()::now);
        this.management = management;
        this.secret = namespace + "/" + name;
        this.problem = "Secret " + secret + " has not been read yet";
        this.watch = new ManagementInformer<>(
                Selection.where(Resource.SECRETS, namespace, "metadata.name=" + name),
                StoredSecret::of,
                (key, before, after, origin) -> changed(after),
                new NoopListWatchListener() {
                    @Override
                    public void onFailed(ApiFailure cause, int inARow) {
                        report("Secret " + secret + " cannot be read: " + cause.text());
                    }

                    @Override
                    public void onAccessDenied(ApiFailure cause) {
                        report("Secret " + secret + " cannot be read: " + cause.text());
                    }
                },
                around);
    }

    private void changed(@Nullable StoredSecret stored) {
        if (stored == null) {
            report("Secret " + secret + " was deleted");
            return;
        }
        try {
            activate(stored.leaf(), "", null);
            problem = null;
        } catch (GeneralSecurityException e) {
            report("Secret " + secret + ": " + e.getMessage());
        }
    }

    private void report(String what) {
        if (!what.equals(problem)) {
            LOG.atWarn().addKeyValue("cause", what).log("Provided certificate is unusable");
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
