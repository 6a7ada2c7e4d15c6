package io.osmhub.api.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.admission.AdmissionReviewJson.AdmissionRequest;
import io.osmhub.api.admission.AdmissionRoutes.AdmissionRule;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.machine.ProviderConfig.OperatingSystemSpec;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.tenancy.admission.AdmissionView.AdmittedTenant;
import io.osmhub.tenancy.management.WireJson;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sets the profile annotation of a MachineDeployment without one, and rejects one that cannot be rendered. The patch contains only
 * that annotation: unknown fields stay unchanged. Existing mistakes of a stored MachineDeployment do not block other changes.
 */
final class MachineDeploymentRule implements AdmissionRule {
    /** Operating systems for which OSM has a profile. */
    private static final Set<String> PEERS = Set.of("ubuntu", "flatcar", "amzn2", "rockylinux", "rhel");

    /** Annotations that choose what is rendered. */
    private static final List<String> CHOICES =
            List.of(MachineDeployment.PROFILE, MachineDeployment.PROFILE_NAMESPACE, ProfileExtension.CHOICE);

    private static final String FAILED = "error occurred while mutating machinedeployment: ";
    private static final String PROVIDER_SPEC =
            FAILED + "failed to read MachineDeployment.Spec.Template.Spec.ProviderSpec: ";

    private final @Nullable AdmittedTenant tenant;

    /** @param tenant null if unknown: the rule then acts as OSM does */
    MachineDeploymentRule(@Nullable AdmittedTenant tenant) {
        this.tenant = tenant;
    }

    @Override
    public AdmissionResponse review(AdmissionRequest review) {
        String request = "machinedeployment mutation request " + review.uid();
        return switch (review.operation()) {
            case AdmissionRequest.DELETE ->
                AdmissionResponse.allowed(request + " allowed; mutation is not required for delete request");
            case AdmissionRequest.CREATE, AdmissionRequest.UPDATE -> {
                if (review.isDeleting()) {
                    yield AdmissionResponse.allowed(request + " allowed; it is being deleted");
                }
                yield isUntouched(review) ? repaired(review) : changed(review, request);
            }
            default ->
                AdmissionResponse.malformed(review.operation() + " not supported on machinedeployment resources");
        };
    }

    /** Whether nothing that affects its configuration has changed. */
    private static boolean isUntouched(AdmissionRequest review) {
        return review.isUpdate()
                && review.object()
                        .path("spec")
                        .path("template")
                        .equals(review.oldObject().path("spec").path("template"))
                && CHOICES.stream()
                        .allMatch(key -> annotation(review.object(), key).equals(annotation(review.oldObject(), key)));
    }

    private static String annotation(JsonNode object, String key) {
        return object.path("metadata").path("annotations").path(key).asText();
    }

    /** Stored while no webhook was reachable: gets its profile with its next change, if it can be determined. */
    private AdmissionResponse repaired(AdmissionRequest review) {
        try {
            MachineDeployment machineDeployment = read(review.object());
            if (!machineDeployment.profileName().isEmpty()) {
                MachineDeployment before = readOrNull(review.oldObject());
                boolean same = before != null
                        && MachineDeployment.kubeletSettings(before.annotations())
                                .equals(MachineDeployment.kubeletSettings(machineDeployment.annotations()))
                        && MachineDeploymentValidator.findMisspelt(before)
                                .equals(MachineDeploymentValidator.findMisspelt(machineDeployment));
                return AdmissionResponse.allowed("")
                        .withWarnings(
                                same || tenant == null
                                        ? List.of()
                                        : new MachineDeploymentValidator(tenant)
                                                .contentWarnings(machineDeployment, true));
            }
            ProviderConfig config = ProviderConfig.decode(machineDeployment).lenient();
            String profile = profile(machineDeployment, config);
            return profile == null ? AdmissionResponse.allowed("") : patched(review.object(), profile);
        } catch (TenantMistake e) {
            return AdmissionResponse.allowed("").withWarnings(List.of(AdmissionResponse.summarize(e.findings())));
        }
    }

    private AdmissionResponse changed(AdmissionRequest review, String request) {
        MachineDeployment machineDeployment;
        try {
            machineDeployment = read(review.object());
        } catch (TenantMistake e) {
            return AdmissionResponse.malformed(
                    "error occurred while decoding reqquest: " + AdmissionResponse.summarize(e.findings()));
        }
        ProviderConfig config;
        try {
            config = ProviderConfig.decode(machineDeployment).strict();
        } catch (TenantMistake e) {
            return AdmissionResponse.malformed(
                    PROVIDER_SPEC + providerMistake(e.findings().getFirst()));
        }
        AdmissionResponse answer = AdmissionResponse.allowed("");
        if (machineDeployment.profileName().isEmpty()) {
            String profile = profile(machineDeployment, config);
            if (profile == null) {
                return AdmissionResponse.malformed(
                        FAILED + "failed to populate OSP annotation for machinedeployment with"
                                + " unsupported Operating System " + config.operatingSystem());
            }
            answer = patched(review.object(), profile);
            machineDeployment = named(machineDeployment, profile);
        }
        if (tenant == null) {
            return answer;
        }
        MachineDeploymentValidator.MachineDeploymentFindings result = new MachineDeploymentValidator(tenant)
                .check(machineDeployment, review.isUpdate() ? readOrNull(review.oldObject()) : null);
        return result.mistakes().isEmpty()
                ? answer.withWarnings(result.warnings())
                : AdmissionResponse.denied(request + " denied: " + AdmissionResponse.summarize(result.mistakes()))
                        .withWarnings(result.warnings());
    }

    /** The field, the cause and the fix. */
    private static String providerMistake(Problem mistake) {
        return mistake.reason() == Reason.ProviderSpecMissing
                ? "machine.spec.providerSpec.value is nil"
                : MessageFormatter.visible(
                        mistake.withObject(ProblemObject.NONE).toString());
    }

    /** Default profile of a MachineDeployment; null if there is none for its operating system. */
    private @Nullable String profile(MachineDeployment machineDeployment, ProviderConfig config) {
        String system = config.operatingSystem();
        if (config.cloudProvider().equals("anexia")
                && system.equals("flatcar")
                && utility(machineDeployment, config).equals("cloud-init")) {
            return "osp-flatcar-cloud-init";
        }
        String configured =
                tenant == null ? null : tenant.settings().byOperatingSystem().get(system);
        if (configured != null) {
            return configured;
        }
        String usual = "osp-" + system;
        return PEERS.contains(system) || tenant != null && profileExists(machineDeployment, usual) ? usual : null;
    }

    private boolean profileExists(MachineDeployment machineDeployment, String profile) {
        return tenant != null && new MachineDeploymentValidator(tenant).hasProfile(named(machineDeployment, profile));
    }

    private static String utility(MachineDeployment machineDeployment, ProviderConfig config) {
        try {
            return config.operatingSystemSpec(machineDeployment, false) instanceof OperatingSystemSpec.Flatcar flatcar
                    ? flatcar.provisioningUtility()
                    : "";
        } catch (TenantMistake e) {
            return "";
        }
    }

    private static MachineDeployment named(MachineDeployment machineDeployment, String profile) {
        Map<String, String> annotations = new HashMap<>(machineDeployment.annotations());
        annotations.put(MachineDeployment.PROFILE, profile);
        return MachineDeployment.of(
                machineDeployment.namespace(),
                machineDeployment.name(),
                annotations,
                machineDeployment.kubeletVersion(),
                machineDeployment.providerSpec());
    }

    private static AdmissionResponse patched(JsonNode object, String profile) {
        ArrayNode patch = WireJson.object().arrayNode();
        ObjectNode add = patch.addObject().put("op", "add");
        if (object.path("metadata").path("annotations").isObject()) {
            add.put("path", "/metadata/annotations/" + MachineDeployment.PROFILE.replace("/", "~1"))
                    .put("value", profile);
        } else {
            add.put("path", "/metadata/annotations").putObject("value").put(MachineDeployment.PROFILE, profile);
        }
        return AdmissionResponse.allowed("").withPatch(patch);
    }

    private static @Nullable MachineDeployment readOrNull(JsonNode object) {
        try {
            return read(object);
        } catch (TenantMistake e) {
            return null;
        }
    }

    /** The API server calls webhooks before it generates a name from {@code generateName}. */
    private static MachineDeployment read(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        JsonNode whole = object;
        if (!metadata.has("name") && metadata.has("generateName")) {
            ObjectNode copy = object.deepCopy();
            copy.withObject("/metadata")
                    .put("name", metadata.path("generateName").asText() + "xxxxx");
            whole = copy;
        }
        return MachineDeployment.read(SourceDocument.of(ProblemObject.of("MachineDeployment", ""), whole));
    }
}
