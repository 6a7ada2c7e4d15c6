package io.osmhub.sim.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.auth.Authorizer.AuthorizationAttributes;
import io.osmhub.sim.auth.Authorizer.PolicyRule;
import io.osmhub.sim.objects.JsonTrees;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The reviews of authentication.k8s.io and authorization.k8s.io: objects that can only be created. */
public final class ReviewHandler {
    /** Kind by plural name, by group. All are version v1. */
    public static final Map<String, Map<String, String>> KINDS = Map.of(
            "authentication.k8s.io",
            Map.of("tokenreviews", "TokenReview", "selfsubjectreviews", "SelfSubjectReview"),
            "authorization.k8s.io",
            Map.of(
                    "subjectaccessreviews", "SubjectAccessReview",
                    "selfsubjectaccessreviews", "SelfSubjectAccessReview",
                    "localsubjectaccessreviews", "LocalSubjectAccessReview",
                    "selfsubjectrulesreviews", "SelfSubjectRulesReview"));

    private final Authenticator authenticator;
    private final Authorizer authorizer;

    public ReviewHandler(Authenticator authenticator, Authorizer authorizer) {
        this.authenticator = authenticator;
        this.authorizer = authorizer;
    }

    /** The kind of a review; empty for other resources. */
    public static Optional<String> kind(String group, String plural) {
        return Optional.ofNullable(KINDS.getOrDefault(group, Map.of()).get(plural));
    }

    /** Fills in the status of a review. */
    public ObjectNode review(String group, String kind, ObjectNode review, UserIdentity caller) {
        review.put("kind", kind).put("apiVersion", group + "/v1");
        JsonTrees.child(review, "metadata");
        JsonNode spec = review.path("spec");
        ObjectNode status = review.putObject("status");
        switch (kind) {
            case "TokenReview" -> reviewToken(spec, status);
            case "SelfSubjectReview" -> status.set("userInfo", userInfo(caller));
            case "SelfSubjectAccessReview" -> decide(caller, spec, status);
            case "SelfSubjectRulesReview" -> rules(caller, JsonTrees.text(spec, "namespace"), status);
            default ->
                decide(
                        new UserIdentity(
                                JsonTrees.text(spec, "user"),
                                JsonTrees.text(spec, "uid"),
                                JsonTrees.texts(spec.path("groups"))),
                        spec,
                        status);
        }
        return review;
    }

    private void reviewToken(JsonNode spec, ObjectNode status) {
        String token = JsonTrees.text(spec, "token");
        List<String> asked = JsonTrees.texts(spec.path("audiences"));
        List<String> wanted = asked.isEmpty() ? List.of(ServiceAccountTokens.AUDIENCE) : asked;
        Optional<UserIdentity> holder = authenticator.authenticateToken(token);
        List<String> granted =
                authenticator.audiences(token).stream().filter(wanted::contains).toList();
        if (holder.isPresent() && !granted.isEmpty()) {
            status.put("authenticated", true).set("user", userInfo(holder.get()));
            status.set("audiences", JsonTrees.arrayOf(granted));
        } else {
            status.putObject("user");
            status.put(
                    "error",
                    holder.isPresent()
                            ? "[invalid bearer token, token audiences " + authenticator.audiences(token)
                                    + " is invalid for the target audiences " + wanted + "]"
                            : "[invalid bearer token, unknown]");
        }
    }

    private void decide(UserIdentity identity, JsonNode spec, ObjectNode status) {
        JsonNode resource = spec.path("resourceAttributes");
        JsonNode path = spec.path("nonResourceAttributes");
        AuthorizationAttributes attributes = path.isObject()
                ? AuthorizationAttributes.ofPath(JsonTrees.text(path, "verb"), JsonTrees.text(path, "path"))
                : new AuthorizationAttributes(
                        JsonTrees.text(resource, "verb"),
                        JsonTrees.text(resource, "group"),
                        JsonTrees.text(resource, "resource"),
                        JsonTrees.text(resource, "subresource"),
                        JsonTrees.text(resource, "namespace"),
                        JsonTrees.text(resource, "name"),
                        "");
        boolean allowed = authorizer.allows(identity, attributes);
        status.put("allowed", allowed);
        if (allowed && authorizer.mode() == Authorizer.Mode.RBAC) {
            status.put("reason", "RBAC: allowed");
        }
    }

    private void rules(UserIdentity identity, String namespace, ObjectNode status) {
        ArrayNode resources = status.putArray("resourceRules");
        ArrayNode paths = status.putArray("nonResourceRules");
        List<PolicyRule> rules = authorizer.rules(identity, namespace);
        rules.forEach(rule -> (rule.nonResourceUrls().isEmpty() ? resources : paths).add(rule.json()));
        status.put("incomplete", !authorizer.isComplete());
    }

    private static ObjectNode userInfo(UserIdentity identity) {
        ObjectNode info = JsonTrees.object();
        info.put("username", identity.name());
        if (!identity.uid().isEmpty()) {
            info.put("uid", identity.uid());
        }
        info.set("groups", JsonTrees.arrayOf(identity.groups()));
        return info;
    }
}
