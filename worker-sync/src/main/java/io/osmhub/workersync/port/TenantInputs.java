package io.osmhub.workersync.port;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.plan.HubIdentity;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.render.Renderer.RenderInput.References;
import io.osmhub.core.settings.TenantSettings;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the management cluster specifies for one tenant. Immutable; replaced as a whole.
 *
 * @param workerCluster name of the WorkerCluster
 * @param hub the hub that serves it
 * @param references objects that the settings refer to; null while one is invalid
 * @param mistakes errors in the settings and references; nothing is rendered while there are any
 * @param kubeconfigCa certificate authorities of the worker's kubeconfig, PEM
 * @param writes which changes of the worker cluster are applied
 */
public record TenantInputs(
        String namespace,
        String workerCluster,
        HubIdentity hub,
        TenantSettings settings,
        @Nullable References references,
        List<Problem> mistakes,
        String kubeconfigCa,
        AllowedWrites writes) {
    /** Which changes are applied; the others are only reported. */
    public enum AllowedWrites {
        ALL,
        /** All but those that replace content of OSM by other content. */
        ALL_BUT_OSM_CONTENT,
        /** Only of MachineDeployments that are being deleted: their finalizer would block the deletion of the worker cluster. */
        REMOVALS,
        NONE;

        /** Whether nothing is published. */
        public boolean isPaused() {
            return this == REMOVALS || this == NONE;
        }
    }

    public TenantInputs {
        mistakes = List.copyOf(mistakes);
    }

    /** For the text of a problem of the whole worker cluster. */
    public Map<String, String> variables() {
        return Map.of("tenant", namespace, "wc", workerCluster);
    }

    /** Whether nothing is published. */
    public boolean paused() {
        return writes.isPaused();
    }

    public boolean mayWrite(MachineDeployment machineDeployment) {
        return switch (writes) {
            case ALL, ALL_BUT_OSM_CONTENT -> true;
            case REMOVALS -> machineDeployment.deletionTimestamp() != null;
            case NONE -> false;
        };
    }
}
