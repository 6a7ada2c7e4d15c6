package io.osmhub.demo.stage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** A kind of machine: profile, operating system and provider. */
public enum MachineFlavor {
    DEFAULT_UBUNTU("osp-ubuntu", "ubuntu", "aws"),
    DEFAULT_FLATCAR("osp-flatcar", "flatcar", "openstack"),
    DEFAULT_ROCKY_LINUX("osp-rockylinux", "rockylinux", "hetzner"),

    // The documents' short profiles with Go templates, for cases that the defaults do not cover.
    UBUNTU_ON_AWS("osp-example", "ubuntu", "aws"),
    FLATCAR_ON_OPENSTACK("osp-flatcar-example", "flatcar", "openstack");

    /** The demo's flavors in order: the hub's default profiles. */
    public static final List<MachineFlavor> ALL = List.of(DEFAULT_UBUNTU, DEFAULT_FLATCAR, DEFAULT_ROCKY_LINUX);

    private static final String EXAMPLE = "machinedeployment.yaml";

    private final String profile;
    private final String operatingSystem;
    private final String provider;

    MachineFlavor(String profile, String operatingSystem, String provider) {
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
        ObjectNode example = PackedManifests.one(EXAMPLE);
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
