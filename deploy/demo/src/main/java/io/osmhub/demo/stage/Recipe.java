package io.osmhub.demo.stage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** A kind of machine that tenants ask for: a profile and what goes with it. */
public enum Recipe {
    UBUNTU_ON_AWS("osp-example", "ubuntu", "aws"),
    FLATCAR_ON_OPENSTACK("osp-flatcar-example", "flatcar", "openstack"),
    UBUNTU_ON_HETZNER("osp-example", "ubuntu", "hetzner");

    /** In the order in which tenants ask for them. */
    public static final List<Recipe> ALL = List.of(values());

    private static final String EXAMPLE = "machinedeployment.yaml";

    private final String profile;
    private final String operatingSystem;
    private final String provider;

    Recipe(String profile, String operatingSystem, String provider) {
        this.profile = profile;
        this.operatingSystem = operatingSystem;
        this.provider = provider;
    }

    /** Name of the OperatingSystemProfile. */
    public String profile() {
        return profile;
    }

    /** A new MachineDeployment of this kind. */
    public ObjectNode machineDeployment(MachineDeploymentName name, int replicas) {
        ObjectNode example = Manifests.one(EXAMPLE);
        ObjectNode metadata = example.withObject("/metadata");
        metadata.put("namespace", name.namespace()).put("name", name.name());
        metadata.withObject("/annotations").put("k8c.io/operating-system-profile", profile);
        ObjectNode spec = example.withObject("/spec").put("replicas", replicas);
        spec.withObject("/selector/matchLabels").put("workerset", name.name());
        spec.withObject("/template/metadata/labels").put("workerset", name.name());
        spec.withObject("/template/spec/providerSpec/value")
                .put("operatingSystem", operatingSystem)
                .put("cloudProvider", provider);
        return example;
    }
}
