package io.osmhub.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.e2e.cluster.ManifestObjects;
import io.osmhub.e2e.cluster.RealCluster;
import java.nio.file.Path;
import java.util.Base64;

/** The examples of the documentation, as the starting point of tests. */
public final class ExampleObjects {
    private static final Path FOLDER =
            Path.of(System.getProperty("osmhub.root", "../../..")).resolve("docs/examples");

    private ExampleObjects() {}

    /** A profile for Ubuntu. */
    static ObjectNode profile() {
        return ManifestObjects.file(FOLDER.resolve("osp.yaml")).getFirst();
    }

    /** The same profile, with a comment in its provisioning script. */
    static ObjectNode marked(String marker) {
        ObjectNode profile = profile();
        ObjectNode file = (ObjectNode) profile.at("/spec/provisioningConfig/files/0/content/inline");
        file.put("data", file.path("data").asText() + "# " + marker + "\n");
        return profile;
    }

    /** A MachineDeployment of that profile, in {@code kube-system}. */
    static ObjectNode machineDeployment(String name) {
        ObjectNode machineDeployment =
                ManifestObjects.file(FOLDER.resolve("machinedeployment.yaml")).getFirst();
        ((ObjectNode) machineDeployment.path("metadata")).put("name", name);
        return machineDeployment;
    }

    /** What {@code cluster-info} holds: the endpoint that nodes use, and its CA. */
    public static String clusterInfo(String server, RealCluster cluster) {
        return """
                apiVersion: v1
                kind: Config
                clusters:
                - name: ""
                  cluster:
                    server: %s
                    certificate-authority-data: %s
                """.formatted(
                        server,
                        Base64.getEncoder()
                                .encodeToString(cluster.certificateAuthority().getBytes(UTF_8)));
    }
}
