package io.osmhub.core.kkp;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.document.ObjectFieldReader;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.kkp.KkpSettings.Argument;
import io.osmhub.core.model.IpNetwork;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.SourcePosition;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.settings.SettingsLayer.Origin;
import io.osmhub.core.version.SemanticVersion;
import io.osmhub.core.version.SemanticVersion.InvalidVersionException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Derives the arguments of OSM as KKP does from the Cluster, the Seed with its datacenter, and the KubermaticConfiguration; the page
 * docs/reference/kkp.md describes each. Wrong types are collected as findings, like all other mistakes.
 *
 * <p>KKP v2.31.0, {@code pkg/resources/operatingsystemmanager}.
 */
final class KkpArguments {
    private final ObjectFieldReader clusterReader;
    private final ObjectFieldReader specReader;
    private final ObjectFieldReader optionsReader;
    private final ObjectFieldReader configurationReader;
    private final List<ObjectFieldReader> fittingSeeds;
    private final ObjectFieldReader seedReader;
    private final ObjectFieldReader nodeReader;
    private final List<Argument> arguments = new ArrayList<>();

    private KkpArguments(ObjectFieldReader cluster, List<ObjectFieldReader> seeds, ObjectFieldReader configuration) {
        clusterReader = cluster;
        configurationReader = configuration;
        specReader = clusterReader.at("spec");
        optionsReader = specReader.at("containerRuntimeOpts");
        String datacenter = specReader.at("cloud").text("dc", "");
        fittingSeeds = seeds.stream()
                .filter(each -> each.at("spec.datacenters").has(datacenter))
                .toList();
        if (fittingSeeds.size() != 1) {
            reportDatacenter(datacenter, seeds);
        }
        seedReader = fittingSeeds.isEmpty() ? reader(KkpKind.SEED, null) : fittingSeeds.getFirst();
        // A name may have points.
        nodeReader = seedReader.at("spec.datacenters").objectOrEmpty(datacenter).at("node");
    }

    /** @see KkpSettings#read */
    static List<Argument> derive(
            SourceDocument clusterDocument, List<SourceDocument> seedDocuments, @Nullable SourceDocument third) {
        ObjectFieldReader clusterReader = reader(KkpKind.CLUSTER, clusterDocument);
        ObjectFieldReader configurationReader = reader(KkpKind.CONFIGURATION, third);
        List<ObjectFieldReader> seeds =
                seedDocuments.stream().map(each -> reader(KkpKind.SEED, each)).toList();
        KkpArguments derived = new KkpArguments(clusterReader, seeds, configurationReader);
        derived.checkProviders(clusterDocument);
        derived.addAll();
        // Mistakes of other Seeds do not matter to this Cluster.
        List<ObjectFieldReader> used = derived.fittingSeeds.isEmpty() ? seeds : derived.fittingSeeds;
        List<Problem> findings = Stream.concat(Stream.of(clusterReader, configurationReader), used.stream())
                .flatMap(object -> object.mistakes().findings().stream())
                .distinct()
                .toList();
        if (!findings.isEmpty()) {
            throw new TenantMistake(findings);
        }
        return derived.arguments;
    }

    /** Of an empty object if {@code document} is null. */
    private static ObjectFieldReader reader(KkpKind kind, @Nullable SourceDocument document) {
        String object = document == null ? kind.kind() : KkpKind.describe(document);
        DocumentNode root =
                document == null ? new DocumentNode.Fields(List.of(), SourcePosition.NONE) : document.root();
        return ObjectFieldReader.of(
                        root, "", new FindingsCollector(ProblemObject.input(object), Reason.SettingsInvalid))
                .lenient();
    }

    private static List<Origin> origin(ObjectFieldReader object, String field) {
        return List.of(new Origin(object.mistakes().object().toString(), object.path(field)));
    }

    private static void mistake(ObjectFieldReader object, String field, String what, String cure) {
        object.mistakes().add(object.path(field), what, cure);
    }

    private void reportDatacenter(String name, List<ObjectFieldReader> seeds) {
        if (fittingSeeds.size() > 1) {
            mistake(
                    clusterReader,
                    "spec.cloud.dc",
                    "datacenter " + name + " is ambiguous: it is in " + names(fittingSeeds),
                    "keep it in the Seed of this Cluster only");
        } else if (name.isEmpty()) {
            mistake(
                    clusterReader,
                    "spec.cloud.dc",
                    "datacenter missing: the field is empty",
                    "set it to a datacenter of a Seed");
        } else {
            mistake(
                    clusterReader,
                    "spec.cloud.dc",
                    "datacenter missing: " + name + " is not in spec.datacenters of "
                            + (seeds.isEmpty() ? "a Seed, there is none" : names(seeds)),
                    "correct the name, or add the datacenter to the Seed");
        }
    }

    private static String names(List<ObjectFieldReader> parts) {
        return parts.stream().map(part -> part.mistakes().object().toString()).collect(Collectors.joining(" and "));
    }

    /** A provider is an object below {@code spec.cloud}. None is allowed. */
    private void checkProviders(SourceDocument document) {
        if (document.find("spec.cloud") instanceof DocumentNode.Fields cloud) {
            List<String> providers = cloud.fields().stream()
                    .filter(field -> field.value() instanceof DocumentNode.Fields)
                    .map(DocumentNode.Field::name)
                    .toList();
            if (providers.size() > 1) {
                mistake(
                        clusterReader,
                        "spec.cloud",
                        "more than one provider: " + String.join(", ", providers),
                        "keep one of them");
            }
        }
    }

    /** In KKP's order. KKP emits the flags of a group, registries or proxy, in random order; here they are sorted. */
    private void addAll() {
        add("-kubeconfig", "/etc/kubernetes/kubeconfig/kubeconfig", List.of());
        add("-health-probe-address", "0.0.0.0:8085", List.of());
        add("-metrics-address", "0.0.0.0:8080", List.of());
        add("-namespace", "kube-system", List.of());
        addClusterDns();
        addFirstText("-container-runtime", "containerRuntime", specReader);
        addSwitch("-external-cloud-provider", specReader.at("features"), "externalCloudProvider");
        addFirstList("-node-insecure-registries", "insecureRegistries");
        addFirstList("-node-registry-mirrors", "registryMirrors");
        addFirstText("-pause-image", "pauseImage", optionsReader, nodeReader);
        // For these two, the Cluster's object hides the datacenter's by its presence alone.
        ObjectFieldReader containerd = specReader.has("containerRuntimeOpts") ? optionsReader : nodeReader;
        addSwitch("-device-ownership-from-security-context", containerd, "enableNonRootDeviceOwnership");
        addContainerdMirrors(containerd.at("containerdRegistryMirrors"));
        ObjectFieldReader ownProxy = specReader.at("componentsOverride.operatingSystemManager.proxy");
        ObjectFieldReader seedProxy = seedReader.at("spec.proxySettings");
        addFirstText("-node-http-proxy", "httpProxy", ownProxy, nodeReader, seedProxy);
        addFirstText("-node-no-proxy", "noProxy", ownProxy, nodeReader, seedProxy);
        addFeatureGates();
        if (specReader.has("imagePullSecret")) {
            ObjectFieldReader secret = specReader.at("imagePullSecret");
            add(
                    "-node-registry-credentials-secret",
                    secret.text("namespace", "") + "/" + secret.text("name", ""),
                    origin(specReader, "imagePullSecret"));
        }
        addSwitch(
                "-disable-default-osps",
                configurationReader.at("spec.userCluster.operatingSystemManager"),
                "disableDefaultOperatingSystemProfiles");
    }

    /** Adds a flag unless its value is empty. */
    private void add(String flag, String value, List<Origin> origins) {
        if (!value.isEmpty()) {
            arguments.add(new Argument(flag, value, List.of(flag, value), origins));
        }
    }

    private void addSwitch(String flag, ObjectFieldReader object, String field) {
        if (object.bool(field, false)) {
            arguments.add(new Argument(flag, "true", List.of(flag), origin(object, field)));
        }
    }

    /** The first text that is not empty. */
    private void addFirstText(String flag, String field, ObjectFieldReader... parts) {
        Stream.of(parts)
                .filter(part -> !part.text(field, "").isEmpty())
                .findFirst()
                .ifPresent(part -> add(flag, part.text(field, ""), origin(part, field)));
    }

    /** The whole first list that is not empty. */
    private void addFirstList(String flag, String field) {
        Stream.of(optionsReader, nodeReader)
                .filter(part -> !part.texts(field).isEmpty())
                .findFirst()
                .ifPresent(part -> add(flag, String.join(",", part.texts(field)), origin(part, field)));
    }

    private void addClusterDns() {
        ObjectFieldReader network = specReader.at("clusterNetwork");
        String cache = "nodeLocalDNSCacheEnabled";
        if (network.bool(cache, true)) {
            // The address of node-local DNS on every node.
            add("-cluster-dns", "169.254.20.10", origin(network, cache));
            return;
        }
        ObjectFieldReader services = network.at("services");
        List<String> blocks = services.texts("cidrBlocks");
        if (blocks.isEmpty()) {
            mistake(
                    services,
                    "cidrBlocks",
                    "services block missing: the list is empty",
                    "add the network of the services");
            return;
        }
        IpNetwork block = IpNetwork.parseMasking(blocks.getFirst());
        if (block == null) {
            mistake(
                    services,
                    "cidrBlocks[0]",
                    "services block not a CIDR: \"" + blocks.getFirst() + "\"",
                    "write it like 10.240.16.0/20");
            return;
        }
        add("-cluster-dns", block.address().plusInLastByte(10).toString(), origin(services, "cidrBlocks[0]"));
    }

    private void addContainerdMirrors(ObjectFieldReader mirrors) {
        ObjectFieldReader registries = mirrors.at("registries");
        registries.entries((node, at) -> at).keySet().stream()
                // As Go compares strings.
                .sorted(Comparator.comparing(GoString::bytes))
                .forEach(registry -> registries
                        .objectOrEmpty(registry)
                        .texts("mirrors")
                        .forEach(mirror -> arguments.add(new Argument(
                                "-node-containerd-registry-mirrors",
                                registry + "=" + mirror,
                                List.of("-node-containerd-registry-mirrors=" + registry + "=" + mirror),
                                origin(mirrors, "registries[" + registry + "]")))));
    }

    private void addFeatureGates() {
        List<String> gates = new ArrayList<>();
        List<Origin> origins = new ArrayList<>();
        String annotation = "csi-migration.k8c.io/migration-needed";
        if (clusterReader.at("metadata.annotations").has(annotation) && isMigrated() && isBelow130()) {
            ObjectFieldReader cloud = specReader.at("cloud");
            if (cloud.has("openstack")) {
                gates.add("InTreePluginOpenStackUnregister=true");
            }
            if (cloud.has("vsphere")) {
                gates.add("InTreePluginvSphereUnregister=true");
            }
            if (!gates.isEmpty()) {
                origins.addAll(origin(clusterReader, "metadata.annotations[" + annotation + "]"));
            }
        }
        ObjectFieldReader configured = configurationReader.at("spec.featureGates");
        String allocation = "DynamicResourceAllocation";
        if (configured.bool(allocation, false)) {
            gates.add(allocation + "=true");
            origins.addAll(origin(configured, allocation));
        }
        add("-node-kubelet-feature-gates", String.join(",", gates), origins);
    }

    private boolean isMigrated() {
        ObjectFieldReader condition = clusterReader.at("status.conditions.CSIKubeletMigrationCompleted");
        return condition.text("status", "").equals("True");
    }

    /** KKP compares the minor version only. */
    private boolean isBelow130() {
        String version = specReader.text("version", "");
        try {
            return SemanticVersion.parse(version).minor() < 30;
        } catch (InvalidVersionException e) {
            mistake(clusterReader, "spec.version", "\"" + version + "\" is not a version", "write it like 1.34.6");
            return false;
        }
    }
}
