package io.osmhub.core.userdata;

import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.userdata.SystemdUnitParser.UnicodeWhitespace;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

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
        throw new TenantMistake(new ProblemFinding(
                "ProvisioningUtilityMismatch",
                "OperatingSystemConfig",
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

        /** An upper estimate of a document's size, so that its buffer does not grow. */
        int estimatedSize() {
            int size = 1024;
            for (OperatingSystemConfig.File file : config.files()) {
                int data = file.data().length();
                // Base64 turns three characters into four; indentation and escapes add less.
                size += data + data / 3 + file.path().length() + 128;
            }
            for (var unit : config.units()) {
                String content = unit.content();
                size += (content == null ? 0 : content.length() + (content.length() >> 1)) + 256;
            }
            return size;
        }
    }

    /** A file's permissions: a decimal number whose digits are meant as the octal mode. */
    static final class FilePermissions {
        private static final int HIGHEST_MODE = 07777;

        /** The text in both documents. As in OSM, a zero precedes exactly three characters, even if they are not digits. */
        static String text(int permissions) {
            String text = Integer.toString(permissions);
            return text.length() == 3 ? "0" + text : text;
        }

        /** Whether the Ignition conversion parses the text as a number; not {@code 0-44}. */
        static boolean isNumber(int permissions) {
            return permissions >= 0 || permissions > -10 || permissions < -99;
        }

        /** The mode in an Ignition document, which reads a number as octal only with a leading zero and only octal digits. */
        static int ignitionMode(int permissions) {
            boolean octal =
                    permissions >= 100 && permissions <= 777 && permissions / 10 % 10 <= 7 && permissions % 10 <= 7;
            return octal ? permissions / 100 * 64 + permissions / 10 % 10 * 8 + permissions % 10 : permissions;
        }

        static boolean isValid(int mode) {
            return mode >= 0 && mode <= HIGHEST_MODE;
        }
    }

    /** The SSH keys for both documents: trimmed, without empty ones and duplicates, in the given order. */
    static final class SshKeys {
        static List<String> normalizeKeys(List<String> keys) {
            Set<String> cleaned = new LinkedHashSet<>();
            for (String key : keys) {
                String trimmed = UnicodeWhitespace.trim(key);
                if (!trimmed.isEmpty()) {
                    cleaned.add(trimmed);
                }
            }
            return new ArrayList<>(cleaned);
        }
    }
}
