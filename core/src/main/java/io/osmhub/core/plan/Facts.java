package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.ApiServerEndpoint;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.ReferenceResolver;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.render.RenderInput;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import java.time.Instant;
import java.util.List;

/**
 * Everything known about one MachineDeployment at decision time: one value, so that a decision is repeatable and consistent.
 *
 * @param otherClaimants other MachineDeployments of the worker cluster that claim one of the same names
 * @param profile the one that the MachineDeployment names; missing also when it names none
 * @param apiServer the API server as nodes reach it
 * @param fetch tokens with which machines can fetch their configuration
 * @param serviceAccountToken token of {@code bootstrap.serviceAccountRef}; ignored unless the settings name one
 * @param references resolves references of the provider config in the worker cluster
 * @param canWrite false while the tenant is paused: changes are reported, not applied
 */
public record Facts(
        MachineDeployment machineDeployment,
        List<NameClaimant> otherClaimants,
        LookupResult<RenderInput.Profile> profile,
        Tenant tenant,
        LookupResult<ApiServerEndpoint> apiServer,
        FetchTokenFacts fetch,
        LookupResult<Sensitive> serviceAccountToken,
        ReferenceResolver references,
        FoundObjects found,
        Instant now,
        boolean canWrite) {
    public Facts {
        otherClaimants = List.copyOf(otherClaimants);
    }

    /** Another MachineDeployment that claims one of the same names, with its profile and the tokens of its key. */
    public record NameClaimant(
            MachineDeployment machineDeployment, LookupResult<RenderInput.Profile> profile, List<StoredToken> tokens) {
        public NameClaimant {
            tokens = List.copyOf(tokens);
        }
    }

    /**
     * The tenant's data in the management cluster.
     *
     * @param hubId UID of {@code kube-system} of the management cluster
     * @param references resolved references of the settings; missing while the settings are invalid
     */
    public record Tenant(
            String namespace,
            String workerCluster,
            String hubId,
            Provisioning settings,
            LookupResult<RenderInput.References> references) {}
}
