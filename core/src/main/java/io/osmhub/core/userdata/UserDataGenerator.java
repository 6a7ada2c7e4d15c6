package io.osmhub.core.userdata;

import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import java.util.List;

/**
 * Generates the document with which a machine starts or which it fetches in its second phase.
 *
 * <p>The bytes are those of OSM wherever its document is right. Where OSM would write broken YAML or change a value, the value is
 * written so that it is read back unchanged; docs/compatibility.md lists each such place.
 */
public final class UserDataGenerator {
    /** Placeholder for the machine's name, which machine-controller replaces. */
    public static final String MACHINE_NAME = "<MACHINE_NAME>";

    private UserDataGenerator() {}

    /**
     * Returns the document's text.
     *
     * @throws io.osmhub.core.problem.TenantMistake {@code ProvisioningUtilityMismatch} if the operating system does not support
     *     that utility; {@code IgnitionConversionFailed}, with every finding at once, if Ignition cannot represent a value
     */
    public static String generateDocument(UserDataInput input) {
        String utility = input.utility();
        if (utility.equals("cloud-init")) {
            return new CloudInitDocument(input).generateText();
        }
        // Only Flatcar supports Ignition; any other image would ignore the document and never become a node.
        if (utility.equals("ignition") && input.osName().equals("flatcar")) {
            return new IgnitionDocument(input).generateText();
        }
        throw new TenantMistake(new Problem(
                Reason.ProvisioningUtilityMismatch,
                ProblemObject.of("OperatingSystemConfig", ""),
                "spec.provisioningUtility",
                "specified provisioning utility \"" + utility + "\" is not supported for operating system \""
                        + input.osName() + '"',
                input.osName().equals("flatcar") ? "use ignition or cloud-init" : "use cloud-init"));
    }

    /** The text of a file without encoding as a machine reads it: CR LF becomes LF, unless cloud-init's document quotes it. */
    public static String normalizeLineEnds(String text, boolean ignition) {
        return ignition || YamlScalarQuoting.isSafeInBlock(text) ? text.replace("\r\n", "\n") : text;
    }

    /**
     * The input of one user-data document.
     *
     * @param config the half of the OSC for the document
     * @param utility {@code cloud-init} or {@code ignition}, as stored in the OSC
     * @param bootstrap whether the machine starts with the document; else it fetches it in its second phase
     */
    public record UserDataInput(
            OperatingSystemConfig.Config config,
            String utility,
            String osName,
            String cloudProvider,
            String machineDeploymentName,
            boolean distUpgradeOnBoot,
            boolean bootstrap) {
        /** Whether the document sets the host name. On AWS the node must keep the name from the cloud. */
        boolean setsHostname() {
            return bootstrap && !cloudProvider.equals("aws");
        }

        /** Path of a part of the config in the OSC, for findings: {@code spec.bootstrapConfig.files[3]}. */
        String fieldPath(String part) {
            return (bootstrap ? "spec.bootstrapConfig." : "spec.provisioningConfig.") + part;
        }
    }

    /** The SSH keys for both documents: trimmed, without empty ones and duplicates, in the given order. */
    static List<String> normalizeKeys(List<String> keys) {
        return keys.stream()
                .map(UserDataGenerator::trim)
                .filter(key -> !key.isEmpty())
                .distinct()
                .toList();
    }

    /** Without blanks around, as trimmed by Go: Unicode's White_Space. */
    private static String trim(String text) {
        int start = 0;
        int end = text.length();
        while (start < end && isBlank(text.charAt(start))) {
            start++;
        }
        while (start < end && isBlank(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(start, end);
    }

    private static boolean isBlank(char c) {
        return c >= '\t' && c <= '\r' || c == 0x85 || Character.isSpaceChar(c);
    }
}
