package io.osmhub.tenancy.link;

import io.osmhub.tenancy.kubeconfig.VettedKubeconfig;
import io.osmhub.workersync.apiserver.ApiFailure;
import org.jspecify.annotations.Nullable;

/** The way to one worker cluster. Its methods return at once; what comes of them is told to whoever opened it. */
public interface WorkerLink {
    /** How it stands at this moment. */
    LinkState state();

    /**
     * Another kubeconfig is to be used: it is proven on a connection of its own, and taken into use only when it is good. Until
     * then, and if it is not, the one in use stays.
     */
    void rotate(VettedKubeconfig kubeconfig);

    /** Whether this is the kubeconfig that the connection was made with. */
    boolean uses(VettedKubeconfig kubeconfig);

    /**
     * Tries another kubeconfig on a connection of its own, without taking it into use; waits.
     *
     * @return in a few words why it is not as good as the one in use; null when it is
     */
    @Nullable String prove(VettedKubeconfig kubeconfig);

    /** A person says that the cluster with that UID of {@code kube-system} is the right one. */
    void acceptClusterId(String id);

    /** Tries again now, whatever it waits for. */
    void reconnect();

    /** Looks again at what the hub may do there, though not too often. */
    void lookAtRights();

    /** Whoever uses it met a failure. */
    void failed(ApiFailure failure);

    /** Whoever uses it meets no failure any more. */
    void recovered();

    /** Ends it; nothing is told afterwards. */
    void close();
}
