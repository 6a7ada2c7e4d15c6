package io.osmhub.api.journal;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;

/** Objects as they are stored, without their metadata. */
public final class Objects {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Objects() {}

    /** A WorkerCluster with a state and open problems; each is the reason and the name of a MachineDeployment. */
    public static ObjectNode workerCluster(String state, Collection<String[]> problems) {
        ObjectNode object = JSON.createObjectNode();
        object.putObject("spec").putObject("kubeconfigSecretRef").put("name", "kubeconfig");
        ObjectNode status = object.putObject("status").put("state", state).put("problemCount", problems.size());
        ArrayNode list = status.putArray("problems");
        for (String[] problem : problems) {
            list.addObject()
                    .put("reason", problem[0])
                    .put("severity", "Error")
                    .put("kind", "MachineDeployment")
                    .put("namespace", "kube-system")
                    .put("name", problem[1])
                    .put("message", "t: MachineDeployment " + problem[1] + ": something is wrong; mend it")
                    .put("since", "2026-03-01T10:00:00Z");
        }
        return object;
    }

    /** A profile that is valid or not. */
    public static ObjectNode profile(boolean valid) {
        ObjectNode object = JSON.createObjectNode();
        object.putObject("spec").put("osName", "ubuntu").put("version", "v1.0.0");
        ArrayNode conditions = object.putObject("status").putArray("conditions");
        conditions
                .addObject()
                .put("type", "Valid")
                .put("status", valid ? "True" : "False")
                .put("reason", valid ? "TemplatesVerified" : "TemplateSyntaxError")
                .put("message", "t: OperatingSystemProfile t/p: a message; a cure")
                .put("lastTransitionTime", "2026-03-01T10:00:00Z");
        return object;
    }

    /** An OperatingSystemConfig of a MachineDeployment. */
    public static ObjectNode config(String machineDeployment, String newNodes) {
        ObjectNode object = JSON.createObjectNode();
        object.putObject("spec")
                .put("osName", "ubuntu")
                .putObject("cloudProvider")
                .put("name", "aws");
        ObjectNode status = object.putObject("status").put("newNodes", newNodes);
        ObjectNode source = status.putObject("source");
        source.putObject("machineDeployment")
                .put("namespace", "kube-system")
                .put("name", machineDeployment)
                .put("uid", "uid-" + machineDeployment)
                .put("revision", "1");
        source.putObject("profile")
                .put("namespace", "osm-profiles")
                .put("name", "osp-ubuntu")
                .put("version", "v1.0.0");
        return object;
    }
}
