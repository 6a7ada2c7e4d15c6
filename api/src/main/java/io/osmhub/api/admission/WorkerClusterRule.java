package io.osmhub.api.admission;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.admission.AdmissionView;
import io.osmhub.tenancy.registry.Standing;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.settings.SettingsResolver;
import io.osmhub.tenancy.wire.WireJson;
import java.util.ArrayList;
import java.util.List;

/** What a WorkerCluster's schema cannot say: settings that mean nothing, and registrations that would not be served. */
final class WorkerClusterRule implements AdmissionRule {
    private final AdmissionView hub;

    WorkerClusterRule(AdmissionView hub) {
        this.hub = hub;
    }

    @Override
    public Answer answer(Review review) {
        String request = "workerCluster validation request " + review.uid();
        return switch (review.operation()) {
            case Review.DELETE -> Answer.allowed(request + " allowed");
            case Review.CREATE, Review.UPDATE -> changed(review, request);
            default -> Answer.refused(review.operation() + " not supported on workercluster resources");
        };
    }

    private Answer changed(Review review, String request) {
        JsonNode object = review.object();
        if (!object.isObject()) {
            return Answer.refused("error occurred while decoding workercluster: it is no object");
        }
        boolean untouched = review.isUpdate()
                && object.path("spec").equals(review.oldObject().path("spec"));
        if (review.isOfDeleted() || untouched) {
            return Answer.allowed(request + " allowed");
        }
        WorkerClusterRecord candidate = WorkerClusterRecord.of(object);
        SettingsResolver.OwnSettings settings = SettingsResolver.read(
                candidate.describe(), object.path("spec").isObject() ? object.path("spec") : WireJson.object());
        List<String> warnings = new ArrayList<>(unoffered(object.path("spec")));
        if (!settings.mistakes().isEmpty()) {
            return Answer.denied(request + " denied: " + Answer.sentence(named(candidate, settings.mistakes())))
                    .with(warnings);
        }
        return switch (hub.standing(candidate)) {
            case Standing.Served _, Standing.Leaving _ ->
                Answer.allowed(request + " allowed").with(warnings);
            case Standing.NotOurs _ -> {
                warnings.add("this hub does not serve namespace " + candidate.namespace()
                        + ", by its tenancy.namespaceSelector or because it serves one cluster only");
                yield Answer.allowed(request + " allowed").with(warnings);
            }
            case Standing.Refused refused -> {
                if (refused.reason() == Reason.LocalTargetRefused) {
                    yield Answer.denied(request + " denied: " + refused.message())
                            .with(warnings);
                }
                // The older one may be about to go.
                warnings.add(refused.message());
                yield Answer.allowed(request + " allowed").with(warnings);
            }
        };
    }

    private static List<Finding> named(WorkerClusterRecord candidate, List<Finding> mistakes) {
        return mistakes.stream()
                .map(mistake -> new Finding(
                        mistake.reason(), candidate.describe(), mistake.field(), mistake.what(), mistake.cure()))
                .toList();
    }

    private List<String> unoffered(JsonNode spec) {
        List<String> warnings = new ArrayList<>();
        JsonNode granted = spec.path("profiles").path("namespaces");
        for (int i = 0; i < granted.size(); i++) {
            String namespace = granted.path(i).asText();
            if (!hub.offersProfiles(namespace)) {
                warnings.add("spec.profiles.namespaces[" + i + "]: namespace " + namespace
                        + " does not offer its profiles; label it osmhub.io/share-profiles=true, or remove it");
            }
        }
        return warnings;
    }
}
