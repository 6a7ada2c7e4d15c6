package io.osmhub.api.admission;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.admission.AdmissionReviewJson.AdmissionRequest;
import io.osmhub.api.admission.AdmissionRoutes.AdmissionRule;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.osp.ProfileExtension.Policy;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.render.CompiledExtension;
import io.osmhub.core.render.CompiledProfile.SourceFile;
import io.osmhub.tenancy.admission.AdmissionView;
import io.osmhub.tenancy.admission.AdmissionView.ExtensionImpact;
import io.osmhub.tenancy.catalog.StoredExtension;
import io.osmhub.tenancy.management.StoredStatus;
import java.util.ArrayList;
import java.util.List;

/**
 * An extension must fit its schema, have templates that compile and conflict with nothing of its own or the shared namespace. Existing
 * mistakes of a stored one do not block other changes. What it does to tenants is a warning.
 */
final class ProfileExtensionRule implements AdmissionRule {
    private final AdmissionView admissionView;

    ProfileExtensionRule(AdmissionView admissionView) {
        this.admissionView = admissionView;
    }

    @Override
    public AdmissionResponse review(AdmissionRequest review) {
        String request = "operatingSystemProfileExtension validation request " + review.uid();
        AdmissionResponse allowed = AdmissionResponse.allowed(request + " allowed");
        return switch (review.operation()) {
            case AdmissionRequest.DELETE -> allowed.withWarnings(usersWarning(review.oldObject()));
            case AdmissionRequest.CREATE, AdmissionRequest.UPDATE ->
                review.isDeleting() ? allowed : changed(review, request);
            default ->
                AdmissionResponse.malformed(
                        review.operation() + " not supported on operatingsystemprofileextension resources");
        };
    }

    private AdmissionResponse changed(AdmissionRequest review, String request) {
        StoredExtension now = StoredExtension.of(review.object());
        ExtensionImpact impact = admissionView.impactOf(now);
        List<Problem> mistakes = new ArrayList<>(impact.mistakes());
        List<String> warnings = new ArrayList<>();
        if (!mistakes.isEmpty() && review.isUpdate()) {
            List<Problem> known = admissionView
                    .impactOf(StoredExtension.of(review.oldObject()))
                    .mistakes();
            mistakes.stream().filter(known::contains).forEach(mistake -> warnings.add(mistake.toString()));
            mistakes.removeAll(known);
        }
        if (now.compiled() != null) {
            addContentWarnings(now.compiled(), warnings);
        }
        if (impact.targetsNothing()) {
            warnings.add(
                    Reason.ExtensionTargetsNothing.with("extension", now.path()).toString());
        }
        if (impact.conflictingTenants() > 0) {
            warnings.add("conflicts with profiles or extensions of " + count(impact.conflictingTenants(), "tenant")
                    + ", whose published content stays as it is; preview with hub diff -f");
        }
        if (impact.machineDeployments() > 0) {
            warnings.add("applies to " + count(impact.machineDeployments(), "MachineDeployment") + " in "
                    + count(impact.tenants(), "tenant") + "; preview with hub diff -f");
        }
        return (mistakes.isEmpty()
                        ? AdmissionResponse.allowed(request + " allowed")
                        : AdmissionResponse.denied(request + " denied: " + AdmissionResponse.summarize(mistakes)))
                .withWarnings(warnings);
    }

    private static void addContentWarnings(CompiledExtension compiled, List<String> warnings) {
        ProfileExtension.Spec spec = compiled.extension().spec();
        for (SourceFile source : compiled.contents().files()) {
            if (source.text().contains("PRIVATE KEY-----")) {
                warnings.add(source.field() + ": contains a private key, which all who can read the extension or an"
                        + " OperatingSystemConfig can read; let the machine fetch it");
            }
            if (spec.language() == null && source.text().contains("{{")) {
                warnings.add(source.field() + ": {{ is written as it is; set spec.templateEngine to use templates");
            }
        }
        if (compiled.policy() == Policy.ENFORCED
                && !compiled.target().profiles().isEmpty()) {
            warnings.add("spec.target.profiles: a tenant's own profile of another name escapes this Enforced extension;"
                    + " select by operatingSystems");
        }
    }

    /** By the counts in its status. */
    private static List<String> usersWarning(JsonNode extension) {
        int machineDeployments = StoredStatus.of(extension)
                .status()
                .at("/usedBy/machineDeployments")
                .asInt();
        return machineDeployments == 0
                ? List.of()
                : List.of("new machines of " + count(machineDeployments, "MachineDeployment")
                        + " no longer get it; running ones keep it");
    }

    private static String count(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
