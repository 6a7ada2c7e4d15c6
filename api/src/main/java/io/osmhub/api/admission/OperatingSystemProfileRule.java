package io.osmhub.api.admission;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.document.Document;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.problem.TenantMistake;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A profile changes only with its version, has units only for Flatcar, and can be rendered. What a stored profile says already is
 * never held against a change beside it.
 */
final class OperatingSystemProfileRule implements AdmissionRule {
    private final @Nullable AdmissionTrials trials;
    private final boolean refuses;

    /**
     * A rule.
     *
     * @param trials null when templates are not looked at
     * @param refuses whether a profile that cannot be rendered is refused; the peer accepts it, so its stand-in only warns
     */
    OperatingSystemProfileRule(@Nullable AdmissionTrials trials, boolean refuses) {
        this.trials = trials;
        this.refuses = refuses;
    }

    @Override
    public Answer answer(Review review) {
        String request = "operatingSystemProfile validation request " + review.uid();
        return switch (review.operation()) {
            case Review.DELETE -> Answer.allowed(request + " allowed");
            case Review.CREATE, Review.UPDATE -> changed(review, request);
            default -> Answer.refused(review.operation() + " not supported on osp resources");
        };
    }

    private Answer changed(Review review, String request) {
        if (review.isOfDeleted()) {
            return Answer.allowed(request + " allowed");
        }
        OperatingSystemProfile now;
        try {
            now = read(review.object());
        } catch (TenantMistake e) {
            return Answer.refused("error occurred while decoding osp: " + Answer.sentence(e.findings()));
        }
        Answer decided = review.isUpdate() ? update(review, now, request) : units(now, request);
        return decided != null ? decided : tried(review, now, request);
    }

    /** Null when the new content is still to be judged. */
    private static @Nullable Answer update(Review review, OperatingSystemProfile now, String request) {
        OperatingSystemProfile before;
        try {
            before = read(review.oldObject());
        } catch (TenantMistake e) {
            return Answer.refused("error occurred while decoding old osp: " + Answer.sentence(e.findings()));
        }
        // Annotations can change what a spec means.
        if (SameSpec.of(review.object().path("spec"), review.oldObject().path("spec"))
                && now.spec().equals(before.spec())) {
            return Answer.allowed(request + " allowed");
        }
        Answer denied = units(now, request);
        if (denied != null) {
            return denied;
        }
        return now.spec().version().equals(before.spec().version())
                ? Answer.denied(request
                        + " denied: OperatingSystemProfile is immutable. For updates .spec.version needs to be updated")
                : null;
    }

    private static @Nullable Answer units(OperatingSystemProfile profile, String request) {
        OperatingSystemProfile.Spec spec = profile.spec();
        boolean none = spec.bootstrapConfig().units().isEmpty()
                && spec.provisioningConfig().units().isEmpty();
        return spec.osName().equals("flatcar") || none
                ? null
                : Answer.denied(
                        request + " denied: OperatingSystemProfile for " + spec.osName() + " does not support units");
    }

    private Answer tried(Review review, OperatingSystemProfile profile, String request) {
        if (trials == null) {
            return Answer.allowed(request + " allowed");
        }
        AdmissionTrials.Result result = trials.judge(review.object(), profile.spec(), review.patience());
        List<String> warnings = new ArrayList<>();
        if (!result.mistakes().isEmpty()) {
            String what = Answer.sentence(result.mistakes());
            if (refuses) {
                return Answer.denied(request + " denied: " + what).with(result.warnings());
            }
            warnings.add(what);
        }
        warnings.addAll(result.warnings());
        return Answer.allowed(request + " allowed").with(warnings);
    }

    private static OperatingSystemProfile read(JsonNode object) {
        return ProfileReader.stored().read(Document.of("OperatingSystemProfile", object));
    }
}
