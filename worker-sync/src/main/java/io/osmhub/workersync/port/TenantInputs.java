package io.osmhub.workersync.port;

import io.osmhub.core.problem.Finding;
import io.osmhub.core.render.RenderInput.References;
import io.osmhub.core.settings.TenantSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the management cluster says about one tenant, as one value: replaced whole when anything in it changes.
 *
 * @param namespace of the tenant
 * @param workerCluster name of the WorkerCluster
 * @param hubId UID of {@code kube-system} of the management cluster
 * @param references what the settings refer to; null while something of it is wrong
 * @param mistakes why {@code references} is null, or what else of the settings is wrong; nothing is rendered while there is one
 * @param kubeconfigCa certificate authorities of the worker's kubeconfig, PEM
 * @param paused nothing is written while it is true
 */
public record TenantInputs(
        String namespace,
        String workerCluster,
        String hubId,
        TenantSettings settings,
        @Nullable References references,
        List<Finding> mistakes,
        String kubeconfigCa,
        boolean paused) {
    public TenantInputs {
        mistakes = List.copyOf(mistakes);
    }
}
