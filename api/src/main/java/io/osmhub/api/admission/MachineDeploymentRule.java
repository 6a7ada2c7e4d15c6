package io.osmhub.api.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.document.Document;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.MachineDeploymentReader;
import io.osmhub.core.machine.OperatingSystemSpec;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.tenancy.admission.AdmittedTenant;
import io.osmhub.tenancy.wire.WireJson;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Names the profile of a MachineDeployment that names none, and refuses one that could not be rendered. The patch is that one
 * annotation and nothing else: whatever the hub does not know of the object stays as it is. What a stored MachineDeployment says
 * already is not held against a change beside it.
 */
final class MachineDeploymentRule implements AdmissionRule {
    /** Those that the peer has a profile for. */
    private static final Set<String> PEERS = Set.of("ubuntu", "flatcar", "amzn2", "rockylinux", "rhel");

    private static final String FAILED = "error occurred while mutating machinedeployment: ";
    private static final String PROVIDER_SPEC =
            FAILED + "failed to read MachineDeployment.Spec.Template.Spec.ProviderSpec: ";

    private final @Nullable AdmittedTenant tenant;

    /** @param tenant null when nothing is known of whose it is: then it is treated as the peer does */
    MachineDeploymentRule(@Nullable AdmittedTenant tenant) {
        this.tenant = tenant;
    }

    @Override
    public Answer answer(Review review) {
        String request = "machinedeployment mutation request " + review.uid();
        return switch (review.operation()) {
            case Review.DELETE -> Answer.allowed(request + " allowed; mutation is not required for delete request");
            case Review.CREATE, Review.UPDATE -> {
                if (review.isOfDeleted()) {
                    yield Answer.allowed(request + " allowed; it is being deleted");
                }
                yield isUntouched(review) ? repaired(review) : changed(review, request);
            }
            default -> Answer.refused(review.operation() + " not supported on machinedeployment resources");
        };
    }

    /** Whether nothing that decides about its configuration is another than before. */
    private static boolean isUntouched(Review review) {
        return review.isUpdate()
                && review.object()
                        .path("spec")
                        .path("template")
                        .equals(review.oldObject().path("spec").path("template"))
                && annotation(review.object(), MachineDeployment.PROFILE)
                        .equals(annotation(review.oldObject(), MachineDeployment.PROFILE))
                && annotation(review.object(), MachineDeployment.PROFILE_NAMESPACE)
                        .equals(annotation(review.oldObject(), MachineDeployment.PROFILE_NAMESPACE));
    }

    private static String annotation(JsonNode object, String key) {
        return object.path("metadata").path("annotations").path(key).asText();
    }

    /** Stored while nobody was asked: gets its profile with the next change of anything, if it can be told which. */
    private Answer repaired(Review review) {
        try {
            MachineDeployment machineDeployment = read(review.object());
            if (!machineDeployment.profileName().isEmpty()) {
                return Answer.allowed("");
            }
            ProviderConfig config = ProviderConfig.decode(machineDeployment).lenient();
            String profile = profile(machineDeployment, config);
            return profile == null ? Answer.allowed("") : patched(review.object(), profile);
        } catch (TenantMistake e) {
            return Answer.allowed("").with(List.of(Answer.sentence(e.findings())));
        }
    }

    private Answer changed(Review review, String request) {
        MachineDeployment machineDeployment;
        try {
            machineDeployment = read(review.object());
        } catch (TenantMistake e) {
            return Answer.refused("error occurred while decoding reqquest: " + Answer.sentence(e.findings()));
        }
        ProviderConfig config;
        try {
            config = ProviderConfig.decode(machineDeployment).strict();
        } catch (TenantMistake e) {
            return Answer.refused(PROVIDER_SPEC + providerMistake(e.findings().getFirst()));
        }
        Answer answer = Answer.allowed("");
        if (machineDeployment.profileName().isEmpty()) {
            String profile = profile(machineDeployment, config);
            if (profile == null) {
                return Answer.refused(FAILED + "failed to populate OSP annotation for machinedeployment with"
                        + " unsupported Operating System " + config.operatingSystem());
            }
            answer = patched(review.object(), profile);
            machineDeployment = named(machineDeployment, profile);
        }
        if (tenant == null) {
            return answer;
        }
        MachineDeploymentChecks.Result result = new MachineDeploymentChecks(tenant)
                .check(machineDeployment, review.isUpdate() ? readOrNull(review.oldObject()) : null);
        return result.mistakes().isEmpty()
                ? answer.with(result.warnings())
                : Answer.denied(request + " denied: " + Answer.sentence(result.mistakes()))
                        .with(result.warnings());
    }

    /** In the words of the peer's decoder, and how to mend it. */
    private static String providerMistake(Finding mistake) {
        return mistake.reason().equals("ProviderSpecMissing")
                ? "machine.spec.providerSpec.value is nil"
                : mistake.what() + (mistake.cure().isEmpty() ? "" : "; " + mistake.cure());
    }

    /** Name of the profile that a MachineDeployment without one gets; null when nobody has one for its operating system. */
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
        return PEERS.contains(system) || tenant != null && isThere(machineDeployment, usual) ? usual : null;
    }

    private boolean isThere(MachineDeployment machineDeployment, String profile) {
        return tenant != null && new MachineDeploymentChecks(tenant).finds(named(machineDeployment, profile));
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

    private static Answer patched(JsonNode object, String profile) {
        ArrayNode patch = WireJson.object().arrayNode();
        ObjectNode add = patch.addObject().put("op", "add");
        if (object.path("metadata").path("annotations").isObject()) {
            add.put("path", "/metadata/annotations/" + MachineDeployment.PROFILE.replace("/", "~1"))
                    .put("value", profile);
        } else {
            add.put("path", "/metadata/annotations").putObject("value").put(MachineDeployment.PROFILE, profile);
        }
        return Answer.allowed("").patched(patch);
    }

    private static @Nullable MachineDeployment readOrNull(JsonNode object) {
        try {
            return read(object);
        } catch (TenantMistake e) {
            return null;
        }
    }

    /** The API server asks before it makes a name of {@code generateName}. */
    private static MachineDeployment read(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        JsonNode whole = object;
        if (!metadata.has("name") && metadata.has("generateName")) {
            ObjectNode copy = object.deepCopy();
            copy.withObject("/metadata")
                    .put("name", metadata.path("generateName").asText() + "xxxxx");
            whole = copy;
        }
        return MachineDeploymentReader.read(Document.of("MachineDeployment", whole));
    }
}
