package io.osmhub.core.airgap;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What scripts ask a machine, as far as its operating system and processor imply it.
 *
 * @param operatingSystem as in a profile, for example {@code rockylinux}
 * @param version of the operating system, for example {@code 24.04}; empty if unknown
 * @param machine processor as {@code uname -m} prints it
 */
record MachineFacts(String operatingSystem, String version, String machine) {
    /** Processors for which Kubernetes is published and profiles download programs. */
    static final List<String> MACHINES = List.of("x86_64", "aarch64");

    private static final Map<String, String> CODENAMES = Map.of(
            "ubuntu 20.04", "focal",
            "ubuntu 22.04", "jammy",
            "ubuntu 24.04", "noble",
            "debian 11", "bullseye",
            "debian 12", "bookworm",
            "debian 13", "trixie");

    /** Variables of {@code /etc/os-release}; without those that are unknown. */
    Map<String, String> osRelease() {
        Map<String, String> variables = new TreeMap<>();
        variables.put("ID", id());
        if (!version.isEmpty()) {
            variables.put("VERSION_ID", version);
        }
        String codename = CODENAMES.get(operatingSystem + " " + version);
        if (codename != null) {
            variables.put("VERSION_CODENAME", codename);
        }
        return variables;
    }

    /** The output of a command line; null if unknown. */
    @Nullable String find(String command) {
        return switch (command) {
            case "lsb_release -si", "lsb_release -is" -> Character.toUpperCase(id().charAt(0)) + id().substring(1);
            case "lsb_release -cs", "lsb_release -sc" -> CODENAMES.get(operatingSystem + " " + version);
            case "lsb_release -rs", "lsb_release -sr" -> version.isEmpty() ? null : version;
            case "rpm -E %rhel", "rpm -E %{rhel}" -> version.isEmpty() ? null : version.split("\\.", 2)[0];
            default -> null;
        };
    }

    private String id() {
        return switch (operatingSystem) {
            case "rockylinux" -> "rocky";
            case "amzn2", "amzn2023" -> "amzn";
            case "" -> "linux";
            default -> operatingSystem;
        };
    }
}
