package io.osmhub.core.machine;

import io.osmhub.core.json.JsonMistake;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decoded {@code providerSpec.value}.
 *
 * @param cloudProviderSpec JSON text of the provider's own settings, untouched; null when left out
 * @param operatingSystemSpec JSON text; null when left out
 * @param overwriteCloudConfig replaces the generated cloud config; null when left out
 */
public record ProviderConfig(
        List<String> sshPublicKeys,
        String cloudProvider,
        @Nullable String cloudProviderSpec,
        String operatingSystem,
        @Nullable String operatingSystemSpec,
        @Nullable Network network,
        @Nullable String overwriteCloudConfig) {
    /** Where it lies in a MachineDeployment, as findings name it. */
    public static final String PATH = "spec.template.spec.providerSpec.value";

    private static final String INVALID = "ProviderSpecInvalid";

    public ProviderConfig {
        sshPublicKeys = List.copyOf(sshPublicKeys);
    }

    /** Without the specs, which may hold credentials. */
    @Override
    public String toString() {
        return "ProviderConfig[" + cloudProvider + ", " + operatingSystem + "]";
    }

    /** What decoding gave, before anybody decides whether an unknown field matters. */
    public record Decoded(ProviderConfig config, List<Finding> wrong, List<Finding> unknown) {
        /** The config; unknown fields are fine. */
        public ProviderConfig lenient() {
            return wrong.isEmpty() ? config : strict();
        }

        /** The config; an unknown field is a mistake. All are told, first those that even a lenient reader minds. */
        public ProviderConfig strict() {
            List<Finding> findings = new ArrayList<>(wrong);
            findings.addAll(unknown);
            if (!findings.isEmpty()) {
                throw new TenantMistake(findings);
            }
            return config;
        }
    }

    /** @throws TenantMistake when there is nothing to decode */
    public static Decoded decode(MachineDeployment machineDeployment) {
        String json = machineDeployment.providerSpec();
        if (json == null || json.isBlank()) {
            throw new TenantMistake(new Finding(
                    "ProviderSpecMissing",
                    machineDeployment.describe(),
                    PATH,
                    "missing",
                    "set cloudProvider, cloudProviderSpec and operatingSystem"));
        }
        List<JsonMistake> mistakes = new ArrayList<>();
        ProviderConfig config = ProviderConfigReader.read(json, mistakes);
        Map<Boolean, List<JsonMistake>> byKind =
                mistakes.stream().collect(Collectors.partitioningBy(JsonMistake::unknownField));
        return new Decoded(
                config,
                findings(machineDeployment, PATH, byKind.getOrDefault(false, List.of())),
                findings(machineDeployment, PATH, byKind.getOrDefault(true, List.of())));
    }

    /**
     * Decodes what it says about the operating system.
     *
     * @throws TenantMistake when it does not fit, or nobody knows the operating system
     */
    public OperatingSystemSpec operatingSystemSpec(MachineDeployment machineDeployment, boolean ownProfile) {
        List<JsonMistake> mistakes = new ArrayList<>();
        OperatingSystemSpec spec =
                OperatingSystemSpecReader.read(operatingSystem, ownProfile, operatingSystemSpec, mistakes);
        if (!mistakes.isEmpty()) {
            throw new TenantMistake(findings(machineDeployment, PATH + ".operatingSystemSpec", mistakes));
        }
        if (spec == null) {
            throw new TenantMistake(new Finding(
                    "OperatingSystemUnknown",
                    machineDeployment.describe(),
                    "providerSpec.value.operatingSystem",
                    "unknown operating system \"" + operatingSystem + "\"",
                    "known: " + String.join(", ", OperatingSystemSpecReader.known(ownProfile))));
        }
        return spec;
    }

    /** Whether machines upgrade their packages at first boot; read for every operating system alike. */
    public boolean distUpgradeOnBoot(MachineDeployment machineDeployment) {
        List<JsonMistake> mistakes = new ArrayList<>();
        boolean upgrade = OperatingSystemSpecReader.distUpgradeOnBoot(operatingSystemSpec, mistakes);
        if (!mistakes.isEmpty()) {
            throw new TenantMistake(findings(machineDeployment, PATH + ".operatingSystemSpec", mistakes));
        }
        return upgrade;
    }

    private static List<Finding> findings(
            MachineDeployment machineDeployment, String path, List<JsonMistake> mistakes) {
        return mistakes.stream()
                .map(mistake -> new Finding(
                        INVALID,
                        machineDeployment.describe(),
                        mistake.field().isEmpty() ? path : path + "." + mistake.field(),
                        mistake.what(),
                        mistake.cure()))
                .toList();
    }
}
