package io.osmhub.core.machine;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.document.ObjectFieldReader;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.SourcePosition;
import io.osmhub.core.problem.TenantMistake;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decoded {@code providerSpec.value}.
 *
 * @param cloudProviderSpec JSON text of the provider's own settings; null if left out
 * @param operatingSystemSpec JSON text; null if left out
 * @param overwriteCloudConfig replaces the generated cloud config; null if left out
 */
public record ProviderConfig(
        List<String> sshPublicKeys,
        String cloudProvider,
        @Nullable String cloudProviderSpec,
        String operatingSystem,
        @Nullable String operatingSystemSpec,
        @Nullable NetworkConfig network,
        @Nullable String overwriteCloudConfig) {
    /** Its path in a MachineDeployment, for findings. */
    public static final String PATH = "spec.template.spec.providerSpec.value";

    private static final Reason INVALID = Reason.ProviderSpecInvalid;
    private static final String DIST_UPGRADE = "distUpgradeOnBoot";
    private static final DocumentNode NOTHING = new DocumentNode.Fields(List.of(), SourcePosition.NONE);

    public ProviderConfig {
        sshPublicKeys = List.copyOf(sshPublicKeys);
    }

    /** Omits the specs, which may hold credentials. */
    @Override
    public String toString() {
        return "ProviderConfig[" + cloudProvider + ", " + operatingSystem + "]";
    }

    /** Result of decoding, before unknown fields are accepted or rejected. */
    public record Decoded(ProviderConfig config, List<Problem> invalid, List<Problem> unknown) {
        /** The config, ignoring unknown fields. */
        public ProviderConfig lenient() {
            return invalid.isEmpty() ? config : strict();
        }

        /** The config, rejecting unknown fields. Reports all mistakes, first those that {@link #lenient} rejects too. */
        public ProviderConfig strict() {
            List<Problem> findings = new ArrayList<>(invalid);
            findings.addAll(unknown);
            if (!findings.isEmpty()) {
                throw new TenantMistake(findings);
            }
            return config;
        }
    }

    /** @throws TenantMistake if the provider spec is missing */
    public static Decoded decode(MachineDeployment machineDeployment) {
        String json = machineDeployment.providerSpec();
        if (json == null || json.isBlank()) {
            throw new TenantMistake(new Problem(
                    Reason.ProviderSpecMissing,
                    machineDeployment.describe(),
                    PATH,
                    "missing",
                    "set cloudProvider, cloudProviderSpec and operatingSystem"));
        }
        FindingsCollector invalid = new FindingsCollector(machineDeployment.describe(), INVALID);
        FindingsCollector unknown = new FindingsCollector(machineDeployment.describe(), INVALID);
        ObjectFieldReader spec = reader(json, PATH, invalid);
        ObjectFieldReader network = spec.objectOrEmpty("network");
        ObjectFieldReader dns = network.objectOrEmpty("dns");
        spec.text("caPublicKey");
        ProviderConfig config = new ProviderConfig(
                spec.texts("sshPublicKeys"),
                spec.text("cloudProvider", ""),
                jsonText(spec.value("cloudProviderSpec")),
                spec.text("operatingSystem", ""),
                jsonText(spec.value("operatingSystemSpec")),
                spec.has("network") ? network(network, dns) : null,
                spec.text("overwriteCloudConfig"));
        List.of(spec, network, dns).forEach(object -> object.reportUnknownFields(unknown));
        return new Decoded(config, invalid.findings(), unknown.findings());
    }

    private static ObjectFieldReader reader(String json, String path, FindingsCollector mistakes) {
        DocumentNode node = SourceDocument.parseJson(json);
        if (node == null) {
            mistakes.add(path, "is not valid JSON", "");
        }
        return ObjectFieldReader.ofGoJson(node == null ? NOTHING : node, path, mistakes);
    }

    private static @Nullable String jsonText(@Nullable DocumentNode node) {
        return node == null ? null : SourceDocument.jsonText(node);
    }

    private static NetworkConfig network(ObjectFieldReader network, ObjectFieldReader dns) {
        return new NetworkConfig(
                network.text("cidr", ""),
                network.text("gateway", ""),
                dns.has("servers") ? dns.texts("servers") : null,
                network.text("ipFamily", ""));
    }

    /**
     * Decodes the operating system's settings; unknown fields are skipped.
     *
     * @param ownProfile for a profile in the hub's own template language, which supports more operating systems
     * @throws TenantMistake if they are invalid, or the operating system is unknown
     */
    public OperatingSystemSpec operatingSystemSpec(MachineDeployment machineDeployment, boolean ownProfile) {
        List<String> supported = new ArrayList<>(OperatingSystemSpec.OF_MACHINE_CONTROLLER);
        supported.addAll(ownProfile ? OperatingSystemSpec.OF_OWN_PROFILES : List.of());
        if (!supported.contains(operatingSystem)) {
            throw new TenantMistake(new Problem(
                    Reason.OperatingSystemUnknown,
                    machineDeployment.describe(),
                    "providerSpec.value.operatingSystem",
                    "unknown operating system \"" + operatingSystem + "\"",
                    "known: " + String.join(", ", supported)));
        }
        return readSystem(machineDeployment, spec -> switch (operatingSystem) {
            case "flatcar" ->
                new OperatingSystemSpec.Flatcar(
                        spec.bool("disableAutoUpdate", false),
                        spec.bool("disableLocksmithD", false),
                        spec.bool("disableUpdateEngine", false),
                        spec.text("provisioningUtility", ""));
            case OperatingSystemSpec.RHEL ->
                new OperatingSystemSpec.Rhel(
                        spec.bool(DIST_UPGRADE, false),
                        spec.text("rhelSubscriptionManagerUser", ""),
                        new Sensitive(spec.text("rhelSubscriptionManagerPassword", "")),
                        new Sensitive(spec.text("rhsmOfflineToken", "")),
                        spec.bool("attachSubscription", false),
                        spec.bool("rhelUseSatelliteServer", false),
                        spec.text("rhelSatelliteServer", ""),
                        spec.text("rhelOrganizationName", ""),
                        new Sensitive(spec.text("rhelActivationKey", "")));
            default -> new OperatingSystemSpec.DistUpgrade(spec.bool(DIST_UPGRADE, false));
        });
    }

    /** Whether machines upgrade their packages at first boot; read the same way for every operating system. */
    public boolean distUpgradeOnBoot(MachineDeployment machineDeployment) {
        return readSystem(machineDeployment, spec -> spec.bool(DIST_UPGRADE, false));
    }

    private <T> T readSystem(MachineDeployment machineDeployment, Function<ObjectFieldReader, T> read) {
        FindingsCollector mistakes = new FindingsCollector(machineDeployment.describe(), INVALID);
        String json = operatingSystemSpec == null ? "{}" : operatingSystemSpec;
        T decoded = read.apply(reader(json, PATH + ".operatingSystemSpec", mistakes));
        mistakes.throwIfAny();
        return decoded;
    }

    /**
     * {@code network} of a provider config.
     *
     * @param dnsServers null if not given, which templates can distinguish from an empty list
     * @param ipFamily not checked: empty, {@code IPv4}, {@code IPv6}, {@code IPv4+IPv6}, {@code IPv6+IPv4}
     */
    public record NetworkConfig(
            String cidr, String gateway, @Nullable List<String> dnsServers, String ipFamily) {
        public NetworkConfig {
            dnsServers = dnsServers == null ? null : List.copyOf(dnsServers);
        }

        /** Whether machines get static addresses, which only flatcar supports. */
        public boolean isStatic() {
            return !cidr.isEmpty() || !gateway.isEmpty() || (dnsServers != null && !dnsServers.isEmpty());
        }
    }

    /** Decoded {@code operatingSystemSpec}: a MachineDeployment's settings of its operating system. */
    public sealed interface OperatingSystemSpec {
        /** The operating system whose settings have credentials. */
        String RHEL = "rhel";

        /** Values of {@code operatingSystem} that machine-controller accepts; others need another controller. */
        List<String> OF_MACHINE_CONTROLLER = List.of("ubuntu", "amzn2", "rockylinux", "flatcar", RHEL);

        /** Operating systems of the hub's own profiles; Go templates do not support them. */
        List<String> OF_OWN_PROFILES = List.of("amzn2023", "debian");

        record DistUpgrade(boolean distUpgradeOnBoot) implements OperatingSystemSpec {}

        record Flatcar(
                boolean disableAutoUpdate,
                boolean disableLocksmithD,
                boolean disableUpdateEngine,
                String provisioningUtility)
                implements OperatingSystemSpec {}

        record Rhel(
                boolean distUpgradeOnBoot,
                String subscriptionManagerUser,
                Sensitive subscriptionManagerPassword,
                Sensitive rhsmOfflineToken,
                boolean attachSubscription,
                boolean useSatelliteServer,
                String satelliteServer,
                String organizationName,
                Sensitive activationKey)
                implements OperatingSystemSpec {}
    }
}
