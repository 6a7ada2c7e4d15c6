package io.osmhub.deploy.dropin;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The variables that the peer takes credentials of clouds from, where a MachineDeployment names none, and kubevirt's namespace.
 * Templates see none of them.
 *
 * <p>Peer: operating-system-manager v1.11.2, {@code pkg/cloudprovider}.
 */
public final class CloudEnvironment {
    private static final List<String> CLOUDS =
            List.of("AZURE_", "GOOGLE_SERVICE_ACCOUNT", "KUBEVIRT_KUBECONFIG", "OS_", "POD_NAMESPACE", "VSPHERE_");

    private CloudEnvironment() {}

    /** Those of all variables of a process that are meant for a cloud; the others are nobody's business. */
    public static Map<String, String> of(Map<String, String> process) {
        Map<String, String> found = new TreeMap<>(process);
        found.keySet().removeIf(variable -> CLOUDS.stream().noneMatch(variable::startsWith));
        return found;
    }
}
