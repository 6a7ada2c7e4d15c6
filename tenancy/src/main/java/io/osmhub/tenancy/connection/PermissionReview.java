package io.osmhub.tenancy.connection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reviews an API server's permissions for the hub's own account. Blocks. */
public record PermissionReview(KubeApi api) {
    private static final Logger LOG = LoggerFactory.getLogger(PermissionReview.class);

    /**
     * The permissions that are not granted. Sends one rules review for each namespace; a permission that it does not list is
     * reviewed individually, because not every authorizer can list its rules.
     */
    public List<Permission> missing(List<Permission> needed) throws ApiFailure {
        Map<String, GrantedRules> reviewed = new HashMap<>();
        List<Permission> missing = new ArrayList<>();
        for (Permission permission : needed) {
            String in = permission.reviewedIn();
            GrantedRules rules = reviewed.get(in);
            if (rules == null) {
                rules = rules(in);
                reviewed.put(in, rules);
            }
            if (!rules.allows(permission) && !isAllowed(permission)) {
                missing.add(permission);
            }
        }
        return missing;
    }

    GrantedRules rules(String namespace) throws ApiFailure {
        ObjectNode review = review(Resource.SELF_SUBJECT_RULES_REVIEWS, "SelfSubjectRulesReview");
        review.putObject("spec").put("namespace", namespace);
        return new GrantedRules(
                post(Resource.SELF_SUBJECT_RULES_REVIEWS, review).path("status"));
    }

    boolean isAllowed(Permission permission) throws ApiFailure {
        ObjectNode review = review(Resource.SELF_SUBJECT_ACCESS_REVIEWS, "SelfSubjectAccessReview");
        String resource = permission.resource();
        int slash = resource.indexOf('/');
        ObjectNode attributes = review.putObject("spec")
                .putObject("resourceAttributes")
                .put("verb", permission.verb())
                .put("group", permission.group())
                .put("resource", slash < 0 ? resource : resource.substring(0, slash))
                .put("namespace", permission.namespace())
                .put("name", permission.name());
        if (slash >= 0) {
            attributes.put("subresource", resource.substring(slash + 1));
        }
        return post(Resource.SELF_SUBJECT_ACCESS_REVIEWS, review)
                .path("status")
                .path("allowed")
                .asBoolean(false);
    }

    /** User as which the API server authenticates the hub; empty if it does not report it, as API servers before 1.28. */
    public String user() {
        try {
            return post(Resource.SELF_SUBJECT_REVIEWS, review(Resource.SELF_SUBJECT_REVIEWS, "SelfSubjectReview"))
                    .path("status")
                    .path("userInfo")
                    .path("username")
                    .asText("");
        } catch (ApiFailure e) {
            LOG.debug("API servers before 1.28 do not support SelfSubjectReview", e);
            return "";
        }
    }

    private static ObjectNode review(Resource resource, String kind) {
        return WireJson.object().put("apiVersion", resource.apiVersion()).put("kind", kind);
    }

    private JsonNode post(Resource resource, JsonNode review) throws ApiFailure {
        return WireJson.response(
                api.send(ApiRequest.create(resource, "", WireJson.text(review))),
                "a " + review.path("kind").asText());
    }
}
