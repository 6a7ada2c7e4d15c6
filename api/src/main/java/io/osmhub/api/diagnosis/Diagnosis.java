package io.osmhub.api.diagnosis;

import io.osmhub.api.schema.MachineDeploymentDetail;
import io.osmhub.api.schema.WhyReport;
import java.util.Optional;

/**
 * Says why new nodes come or do not come, and all that is known of one MachineDeployment. What a caller may see is not asked here:
 * whoever calls has made sure that they may get the OperatingSystemConfigs of the tenant. Safe for use by many threads.
 */
public interface Diagnosis {
    /**
     * The chain from the profile to the machines. Empty when there is no such MachineDeployment.
     *
     * @param machines whether to read the machines of the worker cluster for this answer; then it waits for it, else it returns at once
     */
    Optional<WhyReport> why(String tenant, String namespace, String machineDeployment, boolean machines);

    /** The same for one machine of the worker cluster; waits for it. Empty when the machine is not there or cannot be read. */
    Optional<WhyReport> whyMachine(String tenant, String namespace, String machine);

    /** Everything about one MachineDeployment. Renders anew, so it waits for a thread. Empty when there is none. */
    Optional<MachineDeploymentDetail> detail(String tenant, String namespace, String machineDeployment);
}
