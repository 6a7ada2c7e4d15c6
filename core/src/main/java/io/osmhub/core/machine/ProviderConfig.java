package io.osmhub.core.machine;

import io.osmhub.core.json.GoStructDecoder;
import io.osmhub.core.json.GoStructDecoder.JsonDecodeError;
import io.osmhub.core.json.RawJson;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decoded {@code providerSpec.value}.
 *
 * @param cloudProviderSpec JSON text of the provider's own settings, unchanged; null if left out
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

    private static final String INVALID = "ProviderSpecInvalid";

    public ProviderConfig {
        sshPublicKeys = List.copyOf(sshPublicKeys);
    }

    /** Omits the specs, which may hold credentials. */
    @Override
    public String toString() {
        return "ProviderConfig[" + cloudProvider + ", " + operatingSystem + "]";
    }

    /** Result of decoding, before unknown fields are accepted or rejected. */
    public record Decoded(ProviderConfig config, List<ProblemFinding> invalid, List<ProblemFinding> unknown) {
        /** The config, ignoring unknown fields. */
        public ProviderConfig lenient() {
            return invalid.isEmpty() ? config : strict();
        }

        /** The config, rejecting unknown fields. Reports all mistakes, first those that {@link #lenient} rejects too. */
        public ProviderConfig strict() {
            List<ProblemFinding> findings = new ArrayList<>(invalid);
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
            throw new TenantMistake(new ProblemFinding(
                    "ProviderSpecMissing",
                    machineDeployment.describe(),
                    PATH,
                    "missing",
                    "set cloudProvider, cloudProviderSpec and operatingSystem"));
        }
        List<JsonDecodeError> mistakes = new ArrayList<>();
        ProviderConfig config = ProviderConfigReader.read(json, mistakes);
        Map<Boolean, List<JsonDecodeError>> byKind =
                mistakes.stream().collect(Collectors.partitioningBy(JsonDecodeError::unknownField));
        return new Decoded(
                config,
                findings(machineDeployment, PATH, byKind.getOrDefault(false, List.of())),
                findings(machineDeployment, PATH, byKind.getOrDefault(true, List.of())));
    }

    /**
     * Decodes the operating system's settings.
     *
     * @throws TenantMistake if they are invalid, or the operating system is unknown
     */
    public OperatingSystemSpec operatingSystemSpec(MachineDeployment machineDeployment, boolean ownProfile) {
        List<JsonDecodeError> mistakes = new ArrayList<>();
        OperatingSystemSpec spec =
                OperatingSystemSpecReader.read(operatingSystem, ownProfile, operatingSystemSpec, mistakes);
        if (!mistakes.isEmpty()) {
            throw new TenantMistake(findings(machineDeployment, PATH + ".operatingSystemSpec", mistakes));
        }
        if (spec == null) {
            throw new TenantMistake(new ProblemFinding(
                    "OperatingSystemUnknown",
                    machineDeployment.describe(),
                    "providerSpec.value.operatingSystem",
                    "unknown operating system \"" + operatingSystem + "\"",
                    "known: " + String.join(", ", OperatingSystemSpecReader.known(ownProfile))));
        }
        return spec;
    }

    /** Whether machines upgrade their packages at first boot; read the same way for every operating system. */
    public boolean distUpgradeOnBoot(MachineDeployment machineDeployment) {
        List<JsonDecodeError> mistakes = new ArrayList<>();
        boolean upgrade = OperatingSystemSpecReader.distUpgradeOnBoot(operatingSystemSpec, mistakes);
        if (!mistakes.isEmpty()) {
            throw new TenantMistake(findings(machineDeployment, PATH + ".operatingSystemSpec", mistakes));
        }
        return upgrade;
    }

    private static List<ProblemFinding> findings(
            MachineDeployment machineDeployment, String path, List<JsonDecodeError> mistakes) {
        return mistakes.stream()
                .map(mistake -> new ProblemFinding(
                        INVALID,
                        machineDeployment.describe(),
                        mistake.field().isEmpty() ? path : path + "." + mistake.field(),
                        mistake.what(),
                        mistake.cure()))
                .toList();
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

    /** Decodes a provider config member by member; members with the same name are applied in order. */
    private static final class ProviderConfigReader {
        private static final List<String> FIELDS = List.of(
                "sshPublicKeys",
                "caPublicKey",
                "cloudProvider",
                "cloudProviderSpec",
                "operatingSystem",
                "operatingSystemSpec",
                "network",
                "overwriteCloudConfig");
        private static final List<String> NETWORK_FIELDS = List.of("cidr", "gateway", "dns", "ipFamily");
        private static final List<String> DNS_FIELDS = List.of("servers");
        private static final NetworkConfig NO_NETWORK = new NetworkConfig("", "", null, "");

        private final List<JsonDecodeError> mistakes;
        private List<String> sshPublicKeys = List.of();
        private String cloudProvider = "";
        private @Nullable String cloudProviderSpec;
        private String operatingSystem = "";
        private @Nullable String operatingSystemSpec;
        private @Nullable NetworkConfig network;
        private @Nullable String overwriteCloudConfig;

        private ProviderConfigReader(List<JsonDecodeError> mistakes) {
            this.mistakes = mistakes;
        }

        static ProviderConfig read(String json, List<JsonDecodeError> mistakes) {
            ProviderConfigReader reader = new ProviderConfigReader(mistakes);
            try {
                reader.read(RawJson.parse(json));
            } catch (RawJson.MalformedJsonException e) {
                mistakes.add(new JsonDecodeError("", String.valueOf(e.getMessage()), "", false));
            }
            return new ProviderConfig(
                    reader.sshPublicKeys,
                    reader.cloudProvider,
                    reader.cloudProviderSpec,
                    reader.operatingSystem,
                    reader.operatingSystemSpec,
                    reader.network,
                    reader.overwriteCloudConfig);
        }

        private void read(RawJson json) {
            GoStructDecoder config = new GoStructDecoder("Config", "", FIELDS, mistakes);
            config.read(json, "providerconfig.Config", (field, value) -> {
                switch (field) {
                    case "sshPublicKeys" ->
                        sshPublicKeys =
                                Objects.requireNonNullElse(config.strings(field, value, sshPublicKeys), List.of());
                    case "caPublicKey" -> config.string(field, value, "");
                    case "cloudProvider" -> cloudProvider = config.string(field, value, cloudProvider);
                    case "cloudProviderSpec" -> cloudProviderSpec = rawUnlessNull(value, cloudProviderSpec);
                    case "operatingSystem" -> operatingSystem = config.string(field, value, operatingSystem);
                    case "operatingSystemSpec" -> operatingSystemSpec = rawUnlessNull(value, operatingSystemSpec);
                    case "network" -> {
                        if (value.isNull()) {
                            network = null;
                        } else if (config.isObject(field, value, "providerconfig.NetworkConfig")) {
                            readNetwork(value);
                        }
                    }
                    case "overwriteCloudConfig" ->
                        overwriteCloudConfig = value.isNull() ? null : config.string(field, value, "");
                    default -> throw new IllegalStateException(field);
                }
            });
        }

        private static @Nullable String rawUnlessNull(RawJson value, @Nullable String before) {
            return value.isNull() ? before : value.raw();
        }

        private void readNetwork(RawJson json) {
            GoStructDecoder reader = new GoStructDecoder("NetworkConfig", "network", NETWORK_FIELDS, mistakes);
            NetworkConfig[] read = {network == null ? NO_NETWORK : network};
            reader.read(json, "providerconfig.NetworkConfig", (field, value) -> {
                NetworkConfig n = read[0];
                read[0] = switch (field) {
                    case "cidr" ->
                        new NetworkConfig(
                                reader.string(field, value, n.cidr()), n.gateway(), n.dnsServers(), n.ipFamily());
                    case "gateway" ->
                        new NetworkConfig(
                                n.cidr(), reader.string(field, value, n.gateway()), n.dnsServers(), n.ipFamily());
                    case "dns" -> new NetworkConfig(n.cidr(), n.gateway(), dnsServers(reader, value, n), n.ipFamily());
                    case "ipFamily" ->
                        new NetworkConfig(
                                n.cidr(), n.gateway(), n.dnsServers(), reader.string(field, value, n.ipFamily()));
                    default -> throw new IllegalStateException(field);
                };
            });
            network = read[0];
        }

        private @Nullable List<String> dnsServers(GoStructDecoder reader, RawJson json, NetworkConfig before) {
            List<@Nullable List<String>> servers = new ArrayList<>();
            servers.add(before.dnsServers());
            if (reader.isObject("dns", json, "providerconfig.DNSConfig")) {
                GoStructDecoder dns = new GoStructDecoder("DNSConfig", "network.dns", DNS_FIELDS, mistakes);
                dns.read(
                        json,
                        "providerconfig.DNSConfig",
                        (field, value) -> servers.add(dns.strings(field, value, servers.getLast())));
            }
            return servers.getLast();
        }
    }

    /** Decodes {@code operatingSystemSpec} by the operating system's name. */
    private static final class OperatingSystemSpecReader {
        /** Operating systems of the hub's own profiles; Go templates do not support them. */
        private static final List<String> OF_OWN_PROFILES = List.of("amzn2023", "debian");

        private static final RawJson NOTHING = new RawJson.RawObject("{}", List.of());

        /** The supported operating systems; {@code ownProfile} for a profile in the hub's own template language. */
        static List<String> known(boolean ownProfile) {
            List<String> known = new ArrayList<>(OperatingSystemSpec.OF_MACHINE_CONTROLLER);
            if (ownProfile) {
                known.addAll(OF_OWN_PROFILES);
            }
            return known;
        }

        /** Decodes leniently: unknown fields are skipped, absent and null mean the defaults. Null for an unknown operating system. */
        static @Nullable OperatingSystemSpec read(
                String operatingSystem, boolean ownProfile, @Nullable String json, List<JsonDecodeError> mistakes) {
            if (!known(ownProfile).contains(operatingSystem)) {
                return null;
            }
            RawJson value = parse(json, mistakes);
            List<JsonDecodeError> found = new ArrayList<>();
            OperatingSystemSpec spec =
                    switch (operatingSystem) {
                        case "flatcar" -> flatcar(value, found);
                        case "rhel" -> rhel(value, found);
                        default -> new OperatingSystemSpec.DistUpgrade(distUpgradeOnBoot(value, found));
                    };
            addWrong(found, mistakes);
            return spec;
        }

        static boolean distUpgradeOnBoot(@Nullable String json, List<JsonDecodeError> mistakes) {
            List<JsonDecodeError> found = new ArrayList<>();
            boolean upgrade = distUpgradeOnBoot(parse(json, found), found);
            addWrong(found, mistakes);
            return upgrade;
        }

        private static void addWrong(List<JsonDecodeError> found, List<JsonDecodeError> mistakes) {
            found.stream().filter(mistake -> !mistake.unknownField()).forEach(mistakes::add);
        }

        private static RawJson parse(@Nullable String json, List<JsonDecodeError> mistakes) {
            if (json == null) {
                return NOTHING;
            }
            try {
                return RawJson.parse(json);
            } catch (RawJson.MalformedJsonException e) {
                mistakes.add(new JsonDecodeError("", String.valueOf(e.getMessage()), "", false));
                return NOTHING;
            }
        }

        private static boolean distUpgradeOnBoot(RawJson json, List<JsonDecodeError> mistakes) {
            List<String> fields = List.of("distUpgradeOnBoot");
            GoStructDecoder reader = new GoStructDecoder("Config", "", fields, mistakes);
            boolean[] value = {false};
            reader.read(json, "Config", (field, member) -> value[0] = reader.bool(field, member, value[0]));
            return value[0];
        }

        private static OperatingSystemSpec.Flatcar flatcar(RawJson json, List<JsonDecodeError> mistakes) {
            List<String> flags = List.of("disableAutoUpdate", "disableLocksmithD", "disableUpdateEngine");
            List<String> fields = new ArrayList<>(flags);
            fields.add("provisioningUtility");
            GoStructDecoder reader = new GoStructDecoder("Config", "", fields, mistakes);
            boolean[] values = new boolean[flags.size()];
            String[] utility = {""};
            reader.read(json, "flatcar.Config", (field, member) -> {
                int flag = flags.indexOf(field);
                if (flag >= 0) {
                    values[flag] = reader.bool(field, member, values[flag]);
                } else {
                    utility[0] = reader.string(field, member, utility[0]);
                }
            });
            return new OperatingSystemSpec.Flatcar(values[0], values[1], values[2], utility[0]);
        }

        private static OperatingSystemSpec.Rhel rhel(RawJson json, List<JsonDecodeError> mistakes) {
            List<String> flags = List.of("distUpgradeOnBoot", "attachSubscription", "rhelUseSatelliteServer");
            List<String> texts = List.of(
                    "rhelSubscriptionManagerUser",
                    "rhelSubscriptionManagerPassword",
                    "rhsmOfflineToken",
                    "rhelSatelliteServer",
                    "rhelOrganizationName",
                    "rhelActivationKey");
            List<String> fields = new ArrayList<>(flags);
            fields.addAll(texts);
            GoStructDecoder reader = new GoStructDecoder("Config", "", fields, mistakes);
            boolean[] flag = new boolean[flags.size()];
            String[] text = {"", "", "", "", "", ""};
            reader.read(json, "rhel.Config", (field, member) -> {
                int index = flags.indexOf(field);
                if (index >= 0) {
                    flag[index] = reader.bool(field, member, flag[index]);
                } else {
                    index = texts.indexOf(field);
                    text[index] = reader.string(field, member, text[index]);
                }
            });
            return new OperatingSystemSpec.Rhel(
                    flag[0],
                    text[0],
                    new Sensitive(text[1]),
                    new Sensitive(text[2]),
                    flag[1],
                    flag[2],
                    text[3],
                    text[4],
                    new Sensitive(text[5]));
        }
    }

    /** Decoded {@code operatingSystemSpec}: a MachineDeployment's settings of its operating system. */
    public sealed interface OperatingSystemSpec {
        /** Values of {@code operatingSystem} that machine-controller accepts; others need another controller. */
        List<String> OF_MACHINE_CONTROLLER = List.of("ubuntu", "amzn2", "rockylinux", "flatcar", "rhel");

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
