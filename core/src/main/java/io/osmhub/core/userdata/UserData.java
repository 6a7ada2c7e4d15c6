package io.osmhub.core.userdata;

import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;

/**
 * Makes the document that a machine starts with or fetches in its second phase.
 *
 * <p>Wherever the peer's document is right its bytes are kept. Where the peer would write broken YAML or another value than
 * the given one, the value is written so that it is read back as it was given; docs/compatibility.md lists each such place.
 */
public final class UserData {
    /** Stands for the machine's name until machine-controller knows it. */
    public static final String MACHINE_NAME = "<MACHINE_NAME>";

    private UserData() {}

    /**
     * The document's text.
     *
     * @throws io.osmhub.core.problem.TenantMistake {@code ProvisioningUtilityMismatch} when the operating system is not set
     *     up by that utility; {@code IgnitionConversionFailed}, with every finding at once, when Ignition has no place for a value
     */
    public static String document(UserDataInput input) {
        String utility = input.utility();
        if (utility.equals("cloud-init")) {
            return new CloudInit(input).document();
        }
        // Only Flatcar reads Ignition; every other image would ignore the document and never become a node.
        if (utility.equals("ignition") && input.osName().equals("flatcar")) {
            return new Ignition(input).document();
        }
        throw new TenantMistake(new Finding(
                "ProvisioningUtilityMismatch",
                "OperatingSystemConfig",
                "spec.provisioningUtility",
                "specified provisioning utility \"" + utility + "\" is not supported for operating system \""
                        + input.osName() + '"',
                input.osName().equals("flatcar") ? "use ignition or cloud-init" : "use cloud-init"));
    }
}
