package io.osmhub.workersync.port;

import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.render.Renderer.RenderInput.References;
import io.osmhub.core.settings.TenantSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the management cluster specifies for one tenant. Immutable; replaced as a whole.
 *
 * @param workerCluster name of the WorkerCluster
 * @param hubId UID of {@code kube-system} of the management cluster
 * @param references objects that the settings refer to; null while one is invalid
 * @param mistakes errors in the settings and references; nothing is rendered while there are any
 * @param kubeconfigCa certificate authorities of the worker's kubeconfig, PEM
 * @param paused nothing is written while true
 */
public record TenantInputs(
        String namespace,
        String workerCluster,
        String hubId,
        TenantSettings settings,
        @Nullable References references,
        List<ProblemFinding> mistakes,
        String kubeconfigCa,
        boolean paused) {
    public TenantInputs {
        mistakes = List.copyOf(mistakes);
    }
}
