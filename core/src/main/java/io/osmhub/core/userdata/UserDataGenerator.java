package io.osmhub.core.userdata;

import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;

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
}
