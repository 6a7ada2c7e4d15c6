package io.osmhub.core.machine;

import io.osmhub.core.json.JsonDecodeError;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
}
