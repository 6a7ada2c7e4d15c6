package io.osmhub.core.machine;

import io.osmhub.core.json.GoStructDecoder;
import io.osmhub.core.json.JsonDecodeError;
import io.osmhub.core.json.RawJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Decodes a provider config member by member; members with the same name are applied in order. */
final class ProviderConfigReader {
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
                    sshPublicKeys = Objects.requireNonNullElse(config.strings(field, value, sshPublicKeys), List.of());
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
                    new NetworkConfig(reader.string(field, value, n.cidr()), n.gateway(), n.dnsServers(), n.ipFamily());
                case "gateway" ->
                    new NetworkConfig(n.cidr(), reader.string(field, value, n.gateway()), n.dnsServers(), n.ipFamily());
                case "dns" -> new NetworkConfig(n.cidr(), n.gateway(), dnsServers(reader, value, n), n.ipFamily());
                case "ipFamily" ->
                    new NetworkConfig(n.cidr(), n.gateway(), n.dnsServers(), reader.string(field, value, n.ipFamily()));
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
