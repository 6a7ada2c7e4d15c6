package io.osmhub.tenancy.link;

import io.osmhub.core.settings.TenantSettings;
import io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig;
import io.osmhub.workersync.apiserver.ApiFailure;
import org.jspecify.annotations.Nullable;

/** The link to one worker cluster. Must not block; changes are reported to the listener. */
public interface WorkerLink {
    LinkState state();

    /**
     * Switches to another kubeconfig after verifying it on a separate connection. Until then, and if it fails, the current one
     * remains.
     */
    void rotate(ValidatedKubeconfig kubeconfig);

    /**
     * Applies other timeouts: verifies a second connection with them and the kubeconfig in use. Until then, and if it fails, the
     * current one remains.
     */
    void configure(TenantSettings.Connection settings);

    /** Whether the connection uses this kubeconfig. */
    boolean uses(ValidatedKubeconfig kubeconfig);

    /**
     * Tests another kubeconfig on a separate connection; blocks.
     *
     * @return why it is worse than the one in use; null if it is not
     */
    @Nullable String testKubeconfig(ValidatedKubeconfig kubeconfig);

    /** An operator accepted the cluster with this UID of {@code kube-system}. */
    void acceptClusterId(String id);

    /** Retries immediately. */
    void reconnect();

    /** Reviews permissions again, at a limited rate. */
    void reviewPermissions();

    /** A request of a user of this link failed. */
    void onRequestFailed(ApiFailure failure);

    /** Requests succeed again. */
    void onRecovered();

    /** Closes the link; reports nothing afterwards. */
    void close();
}
