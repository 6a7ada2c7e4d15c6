package io.osmhub.browser;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.function.Consumer;

/** Faults of a MachineDeployment in a healthy worker cluster, and what its page reports. */
enum MachineDeploymentFault {
    PROFILE_NOT_FOUND("ProfileNotFound", md -> profile(md, "osp-exmple")),
    PROFILE_OF_ANOTHER_TENANT("ProfileNamespaceNotGranted", md -> {
        profile(md, "osp-example");
        annotate(md, "k8c.io/operating-system-profile-namespace", "tenant-dark");
    }),
    OTHER_OPERATING_SYSTEM("ProfileOperatingSystemMismatch", md -> profile(md, "osp-flatcar-example")),
    OTHER_PROVIDER("ProfileCloudProviderMismatch", md -> provider(md).put("cloudProvider", "kubevirt")),
    TEMPLATE_DOES_NOT_PARSE("TemplateSyntaxError", md -> profile(md, "osp-typo")),
    TEMPLATE_FAILS("TemplateExecutionFailed", md -> profile(md, "osp-fails")),
    TOO_LARGE("UserDataTooLarge", md -> profile(md, "osp-large")),
    KUBELET_VERSION("KubeletVersionInvalid", md -> md.withObject("/spec/template/spec/versions")
            .put("kubelet", "newest")),
    NO_PROVIDER(
            "ProviderSpecMissing", md -> md.withObject("/spec/template/spec").remove("providerSpec"));

    private final String reason;

    @SuppressWarnings("ImmutableEnumChecker") // the functions above are stateless
    private final Consumer<ObjectNode> mistake;

    MachineDeploymentFault(String reason, Consumer<ObjectNode> mistake) {
        this.reason = reason;
        this.mistake = mistake;
    }

    /** The condition reason that the page names. */
    String reason() {
        return reason;
    }

    /** Name of the MachineDeployment. */
    String machineDeployment() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Applies the fault to a valid MachineDeployment. */
    void applyTo(ObjectNode machineDeployment) {
        mistake.accept(machineDeployment);
    }

    private static void profile(ObjectNode md, String name) {
        annotate(md, "k8c.io/operating-system-profile", name);
    }

    static void annotate(ObjectNode md, String key, String value) {
        md.withObject("/metadata/annotations").put(key, value);
    }

    private static ObjectNode provider(ObjectNode md) {
        return md.withObject("/spec/template/spec/providerSpec/value");
    }
}
