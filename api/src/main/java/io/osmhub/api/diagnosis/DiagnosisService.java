package io.osmhub.api.diagnosis;

import io.osmhub.api.schema.MachineDeploymentDetail;
import io.osmhub.api.schema.WhyReport;
import java.util.Optional;

/**
 * Explains why new nodes are or are not joining, and describes single MachineDeployments. Does not authorize: callers must have
 * checked {@code get} on the tenant's OperatingSystemConfigs. Thread-safe.
 */
public interface DiagnosisService {
    /**
     * The chain from the profile to the machines. Empty if the MachineDeployment does not exist.
     *
     * @param machines whether to read the machines of the worker cluster; blocks if true
     */
    Optional<WhyReport> explain(String tenant, String namespace, String machineDeployment, boolean machines);

    /** The same for one machine of the worker cluster; blocks. Empty if the machine is missing or unreadable. */
    Optional<WhyReport> explainMachine(String tenant, String namespace, String machine);

    /** Details of one MachineDeployment. Renders it, so it blocks. Empty if it does not exist. */
    Optional<MachineDeploymentDetail> describe(String tenant, String namespace, String machineDeployment);
}
