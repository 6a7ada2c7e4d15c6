package io.osmhub.api.admission;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.access.Access;
import io.osmhub.api.access.Caller;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.admission.AdmissionView;
import io.osmhub.tenancy.registry.Standing;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.settings.SecretReference;
import io.osmhub.tenancy.settings.SettingsResolver;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a WorkerCluster's schema cannot say: settings that mean nothing, and registrations that would not be served. */
final class WorkerClusterRule implements AdmissionRule {
    private final AdmissionView hub;
    private final Access access;

    WorkerClusterRule(AdmissionView hub, Access access) {
        this.hub = hub;
        this.access = access;
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
            return Answer.refused("error occurred while decoding workercluster: it is not an object");
        }
        boolean untouched = review.isUpdate()
                && object.path("spec").equals(review.oldObject().path("spec"));
        // So a finalizer is always removed. What a deleted object refers to is still read, for its cleanup.
        if (untouched) {
            return Answer.allowed(request + " allowed");
        }
        WorkerClusterRecord candidate = WorkerClusterRecord.of(object);
        for (SecretReference reference :
                SecretReference.changed(review.oldObject().path("spec"), object.path("spec"))) {
            if (!mayRead(review.user(), candidate.namespace(), reference.name())) {
                return Answer.denied(request + " denied: "
                        + reference.denied(review.user().path("username").asText(), candidate.namespace()));
            }
        }
        if (review.isOfDeleted()) {
            return Answer.allowed(request + " allowed");
        }
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

    /** Of the hub too: it may read them all, and who asks it to write a reference by its API is checked there. */
    private boolean mayRead(JsonNode user, String namespace, String secret) {
        String name = user.path("username").asText();
        if (name.isEmpty()) {
            return false;
        }
        Map<String, List<String>> extra = new HashMap<>();
        user.path("extra").properties().forEach(entry -> extra.put(entry.getKey(), texts(entry.getValue())));
        try {
            Caller author = new Caller(name, user.path("uid").asText(), texts(user.path("groups")), extra, null);
            return access.may(author, Verb.GET, Resource.SECRETS, namespace, secret);
        } catch (ApiProblem e) {
            // HTTP 500: the failure policy decides.
            throw new IllegalStateException("no answer to whether the user may get a Secret", e);
        }
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asText()));
        return texts;
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
