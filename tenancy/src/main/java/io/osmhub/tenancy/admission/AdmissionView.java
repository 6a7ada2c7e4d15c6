package io.osmhub.tenancy.admission;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.tenancy.catalog.StoredExtension;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.registry.TenantEligibility.RegistrationState;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.port.ProfileCatalog;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Management cluster data for admission. Uses stored objects, so that every replica answers alike, whichever serves the tenant.
 * Must not block.
 */
public interface AdmissionView {
    /** A tenant by its WorkerCluster; empty if it does not exist or the caches are not synced. */
    Optional<AdmittedTenant> tenant(String namespace, String name);

    /** The tenant whose worker cluster is the management cluster; empty except in single-cluster mode. */
    Optional<AdmittedTenant> local();

    /** Whether a proposed WorkerCluster would be served. */
    RegistrationState standing(WorkerClusterRecord candidate);

    /** Whether a namespace exists and shares its profiles. */
    boolean offersProfiles(String namespace);

    /** Effect of storing an extension; blocks. */
    ExtensionImpact impactOf(StoredExtension proposed);

    /** Conflicts of extensions with a proposed profile that they do not have with the stored one. */
    List<Problem> findExtensionConflicts(StoredProfile proposed);

    /**
     * Effect of storing an extension. Only its mistakes are known while the caches are not synced.
     *
     * @param mistakes its own, and conflicts with profiles and extensions of its namespace or the shared one
     * @param conflictingTenants number of tenants whose own profiles or extensions conflict with a shared one
     * @param targetsNothing whether it selects no profile
     * @param machineDeployments number of those to which it applies, of {@code tenants} tenants
     */
    public record ExtensionImpact(
            List<Problem> mistakes,
            int conflictingTenants,
            boolean targetsNothing,
            int machineDeployments,
            int tenants) {
        public ExtensionImpact {
            mistakes = List.copyOf(mistakes);
        }
    }

    /**
     * One tenant for admission; holds no reference to another.
     *
     * @param uid of the WorkerCluster
     * @param settings current settings
     * @param profiles profiles that it may use
     * @param machineDeployments those that this replica knows; empty if another serves the tenant
     * @param trial renders a proposed MachineDeployment and returns the errors that would prevent publishing; empty if another
     *     replica serves the tenant, or on timeout
     */
    public record AdmittedTenant(
            String namespace,
            String name,
            String uid,
            TenantSettings.Profiles settings,
            ProfileCatalog profiles,
            Supplier<List<ObjectKey>> machineDeployments,
            Function<MachineDeployment, List<String>> trial) {}
}
