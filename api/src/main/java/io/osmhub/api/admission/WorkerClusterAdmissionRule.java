package io.osmhub.api.admission;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.access.Caller;
import io.osmhub.api.access.CallerAuthorizer;
import io.osmhub.api.admission.AdmissionReviewJson.AdmissionRequest;
import io.osmhub.api.admission.AdmissionRoutes.AdmissionRule;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.admission.AdmissionView;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.tenancy.registry.TenantEligibility.RegistrationState;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.tenancy.settings.ReferencedObjectCache.SecretReference;
import io.osmhub.tenancy.settings.SettingsResolver;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Validates a WorkerCluster beyond its schema: invalid settings, and registrations that would not be served. */
final class WorkerClusterAdmissionRule implements AdmissionRule {
    private final AdmissionView admissionView;
    private final CallerAuthorizer authorizer;

    WorkerClusterAdmissionRule(AdmissionView admissionView, CallerAuthorizer authorizer) {
        this.admissionView = admissionView;
        this.authorizer = authorizer;
    }

    @Override
    public AdmissionResponse review(AdmissionRequest review) {
        String request = "workerCluster validation request " + review.uid();
        return switch (review.operation()) {
            case AdmissionRequest.DELETE -> AdmissionResponse.allowed(request + " allowed");
            case AdmissionRequest.CREATE, AdmissionRequest.UPDATE -> changed(review, request);
            default -> AdmissionResponse.malformed(review.operation() + " not supported on workercluster resources");
        };
    }

    private AdmissionResponse changed(AdmissionRequest review, String request) {
        JsonNode object = review.object();
        if (!object.isObject()) {
            return AdmissionResponse.malformed("error occurred while decoding workercluster: it is not an object");
        }
        boolean untouched = review.isUpdate()
                && object.path("spec").equals(review.oldObject().path("spec"));
        // Finalizers can always be removed. References of a deleted object are still read for its cleanup.
        if (untouched) {
            return AdmissionResponse.allowed(request + " allowed");
        }
        WorkerClusterRecord candidate = WorkerClusterRecord.of(object);
        for (SecretReference reference :
                SecretReference.changed(review.oldObject().path("spec"), object.path("spec"))) {
            if (!mayRead(review.user(), candidate.namespace(), reference.name())) {
                return AdmissionResponse.denied(request + " denied: "
                        + reference.deniedMessage(review.user().path("username").asText(), candidate.namespace()));
            }
        }
        if (review.isDeleting()) {
            return AdmissionResponse.allowed(request + " allowed");
        }
        SettingsResolver.OwnSettings settings = SettingsResolver.read(
                candidate.describe(), object.path("spec").isObject() ? object.path("spec") : WireJson.object());
        List<String> warnings = new ArrayList<>(listUnofferedNamespaces(object.path("spec")));
        if (!settings.mistakes().isEmpty()) {
            return AdmissionResponse.denied(
                            request + " denied: " + AdmissionResponse.summarize(named(candidate, settings.mistakes())))
                    .withWarnings(warnings);
        }
        return switch (admissionView.standing(candidate)) {
            case RegistrationState.Served _, RegistrationState.Deleting _ ->
                AdmissionResponse.allowed(request + " allowed").withWarnings(warnings);
            case RegistrationState.Unmanaged _ -> {
                warnings.add("this hub does not serve namespace " + candidate.namespace()
                        + ", by its tenancy.namespaceSelector or because it serves one cluster only");
                yield AdmissionResponse.allowed(request + " allowed").withWarnings(warnings);
            }
            case RegistrationState.Refused refused -> {
                if (refused.why().reason() == Reason.LocalTargetRefused) {
                    yield AdmissionResponse.denied(
                                    request + " denied: " + refused.why().message())
                            .withWarnings(warnings);
                }
                // The older one may be about to be deleted.
                warnings.add(refused.why().message());
                yield AdmissionResponse.allowed(request + " allowed").withWarnings(warnings);
            }
        };
    }

    /** Also for the hub: it may read all, and checks callers of its API that write a reference. */
    private boolean mayRead(JsonNode user, String namespace, String secret) {
        String name = user.path("username").asText();
        if (name.isEmpty()) {
            return false;
        }
        Map<String, List<String>> extra = new HashMap<>();
        user.path("extra").properties().forEach(entry -> extra.put(entry.getKey(), texts(entry.getValue())));
        try {
            Caller author = new Caller(name, user.path("uid").asText(), texts(user.path("groups")), extra, null);
            return authorizer.isAllowed(author, Verb.GET, Resource.SECRETS, namespace, secret);
        } catch (ApiProblem e) {
            // HTTP 500: the failure policy decides.
            throw new IllegalStateException("cannot determine whether the user may get a Secret", e);
        }
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asText()));
        return texts;
    }

    private static List<Problem> named(WorkerClusterRecord candidate, List<Problem> mistakes) {
        return mistakes.stream()
                .map(mistake -> mistake.withObject(candidate.describe()))
                .toList();
    }

    private List<String> listUnofferedNamespaces(JsonNode spec) {
        List<String> warnings = new ArrayList<>();
        JsonNode granted = spec.path("profiles").path("namespaces");
        for (int i = 0; i < granted.size(); i++) {
            String namespace = granted.path(i).asText();
            if (!admissionView.offersProfiles(namespace)) {
                warnings.add("spec.profiles.namespaces[" + i + "]: namespace " + namespace
                        + " does not offer its profiles; label it osmhub.io/share-profiles=true, or remove it");
            }
        }
        return warnings;
    }
}
