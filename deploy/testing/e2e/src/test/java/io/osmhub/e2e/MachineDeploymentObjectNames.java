package io.osmhub.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.e2e.cluster.ApiResource;
import io.osmhub.e2e.cluster.ApiResource.ResourcePath;
import io.osmhub.e2e.cluster.ManifestObjects;
import java.util.List;

/** What the objects of one MachineDeployment are called, by the rules that machine-controller and the nodes rely on. */
record MachineDeploymentObjectNames(String namespace, String name) {
    private static final int LABEL_LIMIT = 63;

    static MachineDeploymentObjectNames of(JsonNode machineDeployment) {
        return new MachineDeploymentObjectNames(
                ManifestObjects.namespace(machineDeployment), ManifestObjects.name(machineDeployment));
    }

    ResourcePath path() {
        return ApiResource.MACHINE_DEPLOYMENTS.in(namespace, name);
    }

    String key() {
        String both = namespace + "-" + name;
        return both.length() < LABEL_LIMIT ? both : name;
    }

    String osc() {
        return name + "-" + namespace + "-config";
    }

    String bootstrap() {
        return name + "-" + namespace + "-bootstrap-config";
    }

    String provisioning() {
        return name + "-" + namespace + "-provisioning-config";
    }

    String kubeletBootstrap() {
        return key() + "-kubelet-bootstrap-config";
    }

    /** The secrets that a machine needs, in the order in which they are written. */
    List<String> secrets() {
        return List.of(kubeletBootstrap(), provisioning(), bootstrap());
    }
}
