package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.ApiServer;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.ReferenceResolver;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.render.RenderInput;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import java.time.Instant;
import java.util.List;

/**
 * All that is known about one MachineDeployment when it is decided what to do: one value, so that a decision can be repeated and
 * does not see two moments.
 *
 * @param rivals other MachineDeployments of the worker cluster that claim one of the same names
 * @param profile the one that the MachineDeployment names; missing too when it names none
 * @param apiServer the API server as nodes reach it
 * @param fetch with what machines can fetch what they start from
 * @param serviceAccountToken token of {@code bootstrap.serviceAccountRef}; not looked at unless the settings name one
 * @param references resolves what the provider config names in the worker cluster
 * @param mayWrite false while the tenant is paused: what would be written is told, not done
 */
public record Facts(
        MachineDeployment machineDeployment,
        List<Rival> rivals,
        Lookup<RenderInput.Profile> profile,
        Tenant tenant,
        Lookup<ApiServer> apiServer,
        FetchFacts fetch,
        Lookup<Sensitive> serviceAccountToken,
        ReferenceResolver references,
        FoundObjects found,
        Instant now,
        boolean mayWrite) {
    public Facts {
        rivals = List.copyOf(rivals);
    }

    /** Another MachineDeployment that claims one of the same names, with its profile and the tokens of its key. */
    public record Rival(
            MachineDeployment machineDeployment, Lookup<RenderInput.Profile> profile, List<StoredToken> tokens) {
        public Rival {
            tokens = List.copyOf(tokens);
        }
    }

    /**
     * What the management cluster says about the tenant.
     *
     * @param hubId UID of {@code kube-system} of the management cluster
     * @param references what the settings refer to; missing while anything of the settings is wrong
     */
    public record Tenant(
            String namespace,
            String workerCluster,
            String hubId,
            Provisioning settings,
            Lookup<RenderInput.References> references) {}
}
