package io.osmhub.tenancy.certificate;

import io.osmhub.tenancy.certificate.SharedSecret.SecretContent;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.watch.RuntimeContext;
import java.security.GeneralSecurityException;

/**
 * A certificate from a Secret of type {@code kubernetes.io/tls} that another program renews. A deleted or unusable Secret leaves the
 * active certificate unchanged.
 */
public final class SecretCertificate extends WebhookCertificate {
    private final SharedSecret sharedSecret;

    /** @param namespace the hub's own */
    public SecretCertificate(KubeApi management, String namespace, String name, RuntimeContext runtimeContext) {
        super(runtimeContext.scheduler()::now);
        this.sharedSecret = new SharedSecret(
                management,
                namespace,
                name,
                () -> load(),
                cause -> reportUnusable("Secret " + namespace + "/" + name + " cannot be read: " + cause),
                runtimeContext);
    }

    private void load() {
        SecretContent stored = sharedSecret.find();
        if (stored == null) {
            reportUnusable("Secret " + sharedSecret + " does not exist");
            return;
        }
        try {
            activate(stored.leaf(), "", null);
        } catch (GeneralSecurityException e) {
            reportUnusable("Secret " + sharedSecret + ": " + e.getMessage());
        }
    }

    @Override
    public void start() {
        sharedSecret.start();
    }

    @Override
    public void stop() {
        sharedSecret.stop();
    }
}
