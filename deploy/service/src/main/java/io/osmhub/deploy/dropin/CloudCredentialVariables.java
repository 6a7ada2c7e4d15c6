package io.osmhub.deploy.dropin;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The variables from which OSM reads default cloud credentials, and kubevirt's namespace. Invisible to templates.
 *
 * <p>OSM v1.11.2, {@code pkg/cloudprovider}.
 */
public final class CloudCredentialVariables {
    private static final List<String> CLOUDS =
            List.of("AZURE_", "GOOGLE_SERVICE_ACCOUNT", "KUBEVIRT_KUBECONFIG", "OS_", "POD_NAMESPACE", "VSPHERE_");

    private CloudCredentialVariables() {}

    /** Selects the cloud variables of a process. */
    public static Map<String, String> of(Map<String, String> process) {
        Map<String, String> found = new TreeMap<>(process);
        found.keySet().removeIf(variable -> CLOUDS.stream().noneMatch(variable::startsWith));
        return found;
    }
}
