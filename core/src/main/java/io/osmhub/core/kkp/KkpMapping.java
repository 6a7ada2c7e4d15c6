package io.osmhub.core.kkp;

import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.kkp.KkpObjects.Part;
import io.osmhub.core.kkp.KkpSettings.Argument;
import io.osmhub.core.model.IpAddress;
import io.osmhub.core.model.IpNetwork;
import io.osmhub.core.settings.Setting;
import io.osmhub.core.settings.SettingsLayer.Origin;
import io.osmhub.core.version.SemanticVersion;
import io.osmhub.core.version.SemanticVersion.InvalidVersionException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How KKP derives the arguments of OSM from its objects: the one table behind settings, arguments and documentation.
 *
 * <p>KKP v2.31.0, {@code pkg/resources/operatingsystemmanager}.
 */
final class KkpMapping {
    /**
     * One row.
     *
     * @param flag OSM's, with its dash
     * @param setting that the flag sets; null if the hub ignores the flag
     * @param sources fields in order of precedence, for the documentation
     * @param omitted when KKP omits the flag, for the documentation
     * @param note precedence and meaning, for the documentation
     * @param derive the arguments of the row
     */
    record Row(
            String flag,
            @Nullable Setting<?> setting,
            String sources,
            String omitted,
            String note,
            Function<KkpObjects, List<Argument>> derive) {}

    /** The address of node-local DNS on every node. */
    private static final String NODE_LOCAL_DNS = "169.254.20.10";

    private static final String OPTIONS = "containerRuntimeOpts";

    /** In KKP's order. KKP emits the flags of a row's group, registries or proxy, in random order; here they are sorted. */
    static final List<Row> ROWS = List.of(
            fixed("-kubeconfig", "/etc/kubernetes/kubeconfig/kubeconfig"),
            fixed("-health-probe-address", "0.0.0.0:8085"),
            fixed("-metrics-address", "0.0.0.0:8080"),
            fixed("-namespace", "kube-system"),
            new Row(
                    "-cluster-dns",
                    Setting.CLUSTER_DNS,
                    "Cluster `spec.clusterNetwork.nodeLocalDNSCacheEnabled`, then `.services.cidrBlocks[0]`",
                    "never",
                    NODE_LOCAL_DNS + " if unset or true; else the network address of the first block with 10 added to"
                            + " its last byte, modulo 256. Other blocks are ignored.",
                    KkpMapping::clusterDns),
            new Row(
                    "-container-runtime",
                    Setting.CONTAINER_RUNTIME,
                    "Cluster `spec.containerRuntime`",
                    "empty",
                    "Passed unchecked; OSM and the hub only support containerd.",
                    objects -> text("-container-runtime", spec(objects), "containerRuntime")),
            new Row(
                    "-external-cloud-provider",
                    Setting.EXTERNAL_CLOUD_PROVIDER,
                    "Cluster `spec.features[externalCloudProvider]`",
                    "not true",
                    "",
                    objects -> flag("-external-cloud-provider", spec(objects).at("features"), "externalCloudProvider")),
            new Row(
                    "-node-insecure-registries",
                    Setting.INSECURE_REGISTRIES,
                    "Cluster `spec.containerRuntimeOpts.insecureRegistries`, datacenter `node.insecureRegistries`",
                    "all empty",
                    "The whole first list that is not empty.",
                    objects -> list("-node-insecure-registries", "insecureRegistries", objects)),
            new Row(
                    "-node-registry-mirrors",
                    Setting.MIRRORS,
                    "Cluster `spec.containerRuntimeOpts.registryMirrors`, datacenter `node.registryMirrors`",
                    "all empty",
                    "The whole first list that is not empty.",
                    objects -> list("-node-registry-mirrors", "registryMirrors", objects)),
            new Row(
                    "-pause-image",
                    Setting.PAUSE_IMAGE,
                    "Cluster `spec.containerRuntimeOpts.pauseImage`, datacenter `node.pauseImage`",
                    "all empty",
                    "The first one that is not empty.",
                    objects -> firstText("-pause-image", "pauseImage", options(objects), node(objects))),
            new Row(
                    "-device-ownership-from-security-context",
                    Setting.DEVICE_OWNERSHIP,
                    "Cluster `spec.containerRuntimeOpts.enableNonRootDeviceOwnership`,"
                            + " datacenter `node.enableNonRootDeviceOwnership`",
                    "not true",
                    "The datacenter counts only if the Cluster has no `containerRuntimeOpts`, not even an empty one.",
                    objects -> flag(
                            "-device-ownership-from-security-context",
                            containerd(objects),
                            "enableNonRootDeviceOwnership")),
            new Row(
                    "-node-containerd-registry-mirrors",
                    Setting.MIRRORS,
                    "Cluster `spec.containerRuntimeOpts.containerdRegistryMirrors.registries`,"
                            + " datacenter `node.containerdRegistryMirrors.registries`",
                    "no mirrors",
                    "Written `-flag=registry=mirror` and repeated: registries in byte order, mirrors in the order of"
                            + " the list. The datacenter counts only if the Cluster has no `containerRuntimeOpts`.",
                    KkpMapping::containerdMirrors),
            new Row(
                    "-node-http-proxy",
                    Setting.HTTP_PROXY,
                    proxySources("httpProxy"),
                    "all empty",
                    "The first one that is not empty.",
                    objects -> proxy("-node-http-proxy", "httpProxy", objects)),
            new Row(
                    "-node-no-proxy",
                    Setting.NO_PROXY,
                    proxySources("noProxy"),
                    "all empty",
                    "The first one that is not empty. Passed verbatim.",
                    objects -> proxy("-node-no-proxy", "noProxy", objects)),
            new Row(
                    "-node-kubelet-feature-gates",
                    Setting.FEATURE_GATES,
                    "Cluster annotation `csi-migration.k8c.io/migration-needed` with condition"
                            + " `status.conditions[CSIKubeletMigrationCompleted]` `True` and `spec.version` below 1.30;"
                            + " KubermaticConfiguration `spec.featureGates[DynamicResourceAllocation]`",
                    "no gate",
                    "`InTreePluginOpenStackUnregister` with `spec.cloud.openstack`, `InTreePluginvSphereUnregister` with"
                            + " `spec.cloud.vsphere`; `DynamicResourceAllocation` if true. Replaces OSM's default.",
                    KkpMapping::featureGates),
            new Row(
                    "-node-registry-credentials-secret",
                    Setting.REGISTRY_CREDENTIALS,
                    "Cluster `spec.imagePullSecret`",
                    "absent",
                    "`namespace/name` of a Secret in the user cluster. A missing namespace gives `/name`, with which"
                            + " rendering fails.",
                    KkpMapping::imagePullSecret),
            new Row(
                    "-disable-default-osps",
                    Setting.INSTALL_DEFAULTS,
                    "KubermaticConfiguration"
                            + " `spec.userCluster.operatingSystemManager.disableDefaultOperatingSystemProfiles`",
                    "not true",
                    "For the whole installation.",
                    objects -> flag(
                            "-disable-default-osps",
                            objects.configuration().at("spec").at("userCluster").at("operatingSystemManager"),
                            "disableDefaultOperatingSystemProfiles")));

    private KkpMapping() {}

    private static Row fixed(String flag, String value) {
        return new Row(
                flag,
                null,
                "fixed: `" + value + "`",
                "never",
                "Not a setting.",
                objects -> List.of(new Argument(flag, value, Argument.Form.SEPARATE, List.of())));
    }

    // Parts of objects

    private static Part spec(KkpObjects objects) {
        return objects.cluster().at("spec");
    }

    private static Part options(KkpObjects objects) {
        return spec(objects).at(OPTIONS);
    }

    private static Part node(KkpObjects objects) {
        return objects.datacenter().at("node");
    }

    /** Where the two containerd settings are: the Cluster's object hides the datacenter's by its presence alone. */
    private static Part containerd(KkpObjects objects) {
        return spec(objects).fields().has(OPTIONS) ? options(objects) : node(objects);
    }

    // Kinds of rows

    private static List<Argument> one(String flag, String value, List<Origin> origins) {
        return value.isEmpty() ? List.of() : List.of(new Argument(flag, value, Argument.Form.SEPARATE, origins));
    }

    private static List<Argument> text(String flag, Part part, String field) {
        return one(flag, part.text(field), List.of(part.origin(field)));
    }

    private static List<Argument> firstText(String flag, String field, Part... parts) {
        for (Part part : parts) {
            List<Argument> arguments = text(flag, part, field);
            if (!arguments.isEmpty()) {
                return arguments;
            }
        }
        return List.of();
    }

    private static List<Argument> list(String flag, String field, KkpObjects objects) {
        for (Part part : List.of(options(objects), node(objects))) {
            List<String> items = part.fields().texts(field);
            if (!items.isEmpty()) {
                return one(flag, String.join(",", items), List.of(part.origin(field)));
            }
        }
        return List.of();
    }

    private static List<Argument> flag(String flag, Part part, String field) {
        return part.bool(field)
                ? List.of(new Argument(flag, "true", Argument.Form.SWITCH, List.of(part.origin(field))))
                : List.of();
    }

    // Rows of their own kind

    private static List<Argument> clusterDns(KkpObjects objects) {
        String flag = "-cluster-dns";
        Part network = spec(objects).at("clusterNetwork");
        String cache = "nodeLocalDNSCacheEnabled";
        if (network.fields().bool(cache, true)) {
            return one(flag, NODE_LOCAL_DNS, List.of(network.origin(cache)));
        }
        Part services = network.at("services");
        String field = services.fields().path("cidrBlocks");
        List<String> blocks = services.fields().texts("cidrBlocks");
        if (blocks.isEmpty()) {
            objects.mistake(field, "services block missing: the list is empty", "add the network of the services");
            return List.of();
        }
        IpNetwork block = IpNetwork.parseMasking(blocks.getFirst());
        if (block == null) {
            objects.mistake(
                    field + "[0]",
                    "services block not a CIDR: \"" + blocks.getFirst() + "\"",
                    "write it like 10.240.16.0/20");
            return List.of();
        }
        List<Integer> groups = new ArrayList<>(block.address().groups());
        int last = groups.getLast();
        groups.set(7, (last & 0xff00) | ((last + 10) & 0xff));
        return one(flag, new IpAddress(groups).toString(), List.of(services.origin("cidrBlocks[0]")));
    }

    private static List<Argument> containerdMirrors(KkpObjects objects) {
        Part mirrors = containerd(objects).at("containerdRegistryMirrors");
        List<String> registries = new ArrayList<>(
                mirrors.at("registries").fields().entries((node, at) -> at).keySet());
        registries.sort(Comparator.comparing(KkpMapping::utf8));
        List<Argument> arguments = new ArrayList<>();
        for (String registry : registries) {
            Part entry = mirrors.at("registries").at(registry);
            for (String mirror : entry.fields().texts("mirrors")) {
                arguments.add(new Argument(
                        "-node-containerd-registry-mirrors",
                        registry + "=" + mirror,
                        Argument.Form.JOINED,
                        List.of(mirrors.origin("registries[" + registry + "]"))));
            }
        }
        return arguments;
    }

    /** A key that sorts like the UTF-8 bytes, as Go compares strings. */
    private static String utf8(String text) {
        return GoString.bytes(text);
    }

    private static String proxySources(String field) {
        return "Cluster `spec.componentsOverride.operatingSystemManager.proxy." + field + "`, datacenter `node." + field
                + "`, Seed `spec.proxySettings." + field + "`";
    }

    private static List<Argument> proxy(String flag, String field, KkpObjects objects) {
        Part override = spec(objects).at("componentsOverride").at("operatingSystemManager");
        return firstText(
                flag,
                field,
                override.at("proxy"),
                node(objects),
                objects.seed().at("spec").at("proxySettings"));
    }

    private static List<Argument> featureGates(KkpObjects objects) {
        List<String> gates = new ArrayList<>();
        List<Origin> origins = new ArrayList<>();
        String annotation = "csi-migration.k8c.io/migration-needed";
        Part annotations = objects.cluster().at("metadata").at("annotations");
        Part cloud = spec(objects).at("cloud");
        if (annotations.fields().has(annotation) && isMigrated(objects) && isBelow130(objects)) {
            String[][] unregistered = {
                {"openstack", "InTreePluginOpenStackUnregister"}, {"vsphere", "InTreePluginvSphereUnregister"}
            };
            for (String[] provider : unregistered) {
                if (cloud.fields().has(provider[0])) {
                    gates.add(provider[1] + "=true");
                    origins.add(objects.cluster().origin("metadata.annotations[" + annotation + "]"));
                }
            }
        }
        Part configured = objects.configuration().at("spec").at("featureGates");
        String allocation = "DynamicResourceAllocation";
        if (configured.bool(allocation)) {
            gates.add(allocation + "=true");
            origins.add(configured.origin(allocation));
        }
        return one(
                "-node-kubelet-feature-gates",
                String.join(",", gates),
                origins.stream().distinct().toList());
    }

    private static boolean isMigrated(KkpObjects objects) {
        Part conditions = objects.cluster().at("status").at("conditions");
        return conditions.at("CSIKubeletMigrationCompleted").text("status").equals("True");
    }

    /** KKP compares the minor version only. */
    private static boolean isBelow130(KkpObjects objects) {
        String version = spec(objects).text("version");
        try {
            return SemanticVersion.parse(version).minor() < 30;
        } catch (InvalidVersionException e) {
            objects.mistake("spec.version", "\"" + version + "\" is not a version", "write it like 1.34.6");
            return false;
        }
    }

    private static List<Argument> imagePullSecret(KkpObjects objects) {
        Part spec = spec(objects);
        String field = "imagePullSecret";
        Part secret = spec.at(field);
        return spec.fields().has(field)
                ? one(
                        "-node-registry-credentials-secret",
                        secret.text("namespace") + "/" + secret.text("name"),
                        List.of(spec.origin(field)))
                : List.of();
    }
}
