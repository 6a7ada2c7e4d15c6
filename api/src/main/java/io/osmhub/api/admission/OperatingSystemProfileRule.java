package io.osmhub.api.admission;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.admission.AdmissionReviewJson.AdmissionRequest;
import io.osmhub.api.admission.AdmissionRoutes.AdmissionRule;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.tenancy.admission.AdmissionView;
import io.osmhub.tenancy.catalog.TenantProfileCatalog.ProposedProfileLister;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A profile's spec changes only with its version, has units only for Flatcar, and must be renderable. Existing mistakes of a stored
 * profile do not block other changes.
 */
final class OperatingSystemProfileRule implements AdmissionRule {
    private final @Nullable ProfileRenderCheck renderCheck;
    private final boolean refuses;
    private final @Nullable AdmissionView admissionView;

    /**
     * A rule.
     *
     * @param renderCheck null to skip templates
     * @param refuses whether a profile that cannot be rendered is rejected; OSM accepts it, so its replacement only warns
     * @param admissionView null to ignore extensions, as OSM does
     */
    OperatingSystemProfileRule(
            @Nullable ProfileRenderCheck renderCheck, boolean refuses, @Nullable AdmissionView admissionView) {
        this.admissionView = admissionView;
        this.renderCheck = renderCheck;
        this.refuses = refuses;
    }

    @Override
    public AdmissionResponse review(AdmissionRequest review) {
        String request = "operatingSystemProfile validation request " + review.uid();
        return switch (review.operation()) {
            case AdmissionRequest.DELETE -> AdmissionResponse.allowed(request + " allowed");
            case AdmissionRequest.CREATE, AdmissionRequest.UPDATE -> changed(review, request);
            default -> AdmissionResponse.malformed(review.operation() + " not supported on osp resources");
        };
    }

    private AdmissionResponse changed(AdmissionRequest review, String request) {
        if (review.isDeleting()) {
            return AdmissionResponse.allowed(request + " allowed");
        }
        OperatingSystemProfile now;
        try {
            now = read(review.object());
        } catch (TenantMistake e) {
            return AdmissionResponse.malformed(
                    "error occurred while decoding osp: " + AdmissionResponse.summarize(e.findings()));
        }
        AdmissionResponse decided = review.isUpdate() ? update(review, now, request) : units(now, request);
        return decided != null ? decided : tried(review, now, request);
    }

    /** Null if the new content must still be validated. */
    private static @Nullable AdmissionResponse update(
            AdmissionRequest review, OperatingSystemProfile now, String request) {
        OperatingSystemProfile before;
        try {
            before = read(review.oldObject());
        } catch (TenantMistake e) {
            return AdmissionResponse.malformed(
                    "error occurred while decoding old osp: " + AdmissionResponse.summarize(e.findings()));
        }
        // Annotations can change the meaning of a spec.
        if (SpecEquality.isEqual(
                        review.object().path("spec"), review.oldObject().path("spec"))
                && now.spec().equals(before.spec())) {
            return AdmissionResponse.allowed(request + " allowed");
        }
        AdmissionResponse denied = units(now, request);
        if (denied != null) {
            return denied;
        }
        return now.spec().version().equals(before.spec().version())
                ? AdmissionResponse.denied(request
                        + " denied: OperatingSystemProfile is immutable. For updates .spec.version needs to be updated")
                : null;
    }

    private static @Nullable AdmissionResponse units(OperatingSystemProfile profile, String request) {
        OperatingSystemProfile.Spec spec = profile.spec();
        boolean none = spec.bootstrapConfig().units().isEmpty()
                && spec.provisioningConfig().units().isEmpty();
        return spec.osName().equals("flatcar") || none
                ? null
                : AdmissionResponse.denied(
                        request + " denied: OperatingSystemProfile for " + spec.osName() + " does not support units");
    }

    private AdmissionResponse tried(AdmissionRequest review, OperatingSystemProfile profile, String request) {
        if (renderCheck == null) {
            return AdmissionResponse.allowed(request + " allowed");
        }
        ProfileRenderCheck.RenderCheckResult result =
                renderCheck.check(review.object(), profile.spec(), review.timeout());
        List<String> warnings = new ArrayList<>();
        if (!result.mistakes().isEmpty()) {
            String what = AdmissionResponse.summarize(result.mistakes());
            if (refuses) {
                return AdmissionResponse.denied(request + " denied: " + what).withWarnings(result.warnings());
            }
            warnings.add(what);
        }
        if (admissionView != null && result.mistakes().isEmpty()) {
            admissionView
                    .findExtensionConflicts(ProposedProfileLister.read(review.object()))
                    .forEach(conflict -> warnings.add(conflict.toString()));
        }
        warnings.addAll(result.warnings());
        return AdmissionResponse.allowed(request + " allowed").withWarnings(warnings);
    }

    private static OperatingSystemProfile read(JsonNode object) {
        return ProfileReader.stored().read(SourceDocument.of(ProblemObject.of("OperatingSystemProfile", ""), object));
    }
}
