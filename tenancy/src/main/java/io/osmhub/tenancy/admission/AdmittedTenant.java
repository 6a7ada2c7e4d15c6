package io.osmhub.tenancy.admission;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.workersync.port.ProfileCatalog;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

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
