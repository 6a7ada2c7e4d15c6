package io.osmhub.sim.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.json.JsonTrees;
import java.util.List;

/** One rule of a role. */
public record PolicyRule(
        List<String> verbs,
        List<String> apiGroups,
        List<String> resources,
        List<String> resourceNames,
        List<String> nonResourceUrls) {
    static PolicyRule of(JsonNode rule) {
        return new PolicyRule(
                JsonTrees.texts(rule.path("verbs")),
                JsonTrees.texts(rule.path("apiGroups")),
                JsonTrees.texts(rule.path("resources")),
                JsonTrees.texts(rule.path("resourceNames")),
                JsonTrees.texts(rule.path("nonResourceURLs")));
    }

    boolean covers(AuthorizationAttributes wanted) {
        if (!has(verbs, wanted.verb())) {
            return false;
        }
        if (!wanted.path().isEmpty()) {
            return nonResourceUrls.stream()
                    .anyMatch(each -> each.endsWith("*")
                            ? wanted.path().startsWith(each.substring(0, each.length() - 1))
                            : each.equals(wanted.path()));
        }
        boolean resource = has(resources, wanted.fullResource())
                || (!wanted.subresource().isEmpty() && resources.contains("*/" + wanted.subresource()));
        return resource
                && has(apiGroups, wanted.group())
                && (resourceNames.isEmpty() || resourceNames.contains(wanted.name()));
    }

    /** As SelfSubjectRulesReview shows it. */
    ObjectNode json() {
        ObjectNode json = JsonTrees.object();
        json.set("verbs", JsonTrees.arrayOf(verbs));
        if (nonResourceUrls.isEmpty()) {
            json.set("apiGroups", JsonTrees.arrayOf(apiGroups));
            json.set("resources", JsonTrees.arrayOf(resources));
            if (!resourceNames.isEmpty()) {
                json.set("resourceNames", JsonTrees.arrayOf(resourceNames));
            }
        } else {
            json.set("nonResourceURLs", JsonTrees.arrayOf(nonResourceUrls));
        }
        return json;
    }

    private static boolean has(List<String> listed, String wanted) {
        return listed.contains("*") || listed.contains(wanted);
    }
}
