package io.osmhub.tenancy.admission;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.settings.TenantSettings;
import io.osmhub.workersync.port.ProfileCatalog;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One tenant as admission sees it; nothing in it leads to another one.
 *
 * @param uid of the WorkerCluster
 * @param settings as they hold now
 * @param profiles those that it may use
 * @param machineDeployments those that this replica knows of; none when another serves the tenant
 * @param trial renders a MachineDeployment as it is to be stored, and says what would keep it from being published; nothing when
 *     another replica serves the tenant, or when it takes too long
 */
public record AdmittedTenant(
        String namespace,
        String name,
        String uid,
        TenantSettings.Profiles settings,
        ProfileCatalog profiles,
        Supplier<List<ObjectKey>> machineDeployments,
        Function<MachineDeployment, List<String>> trial) {}
