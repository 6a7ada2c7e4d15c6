package io.osmhub.sim.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.json.Json;
import java.util.List;

/** One rule of a role. */
public record Rule(
        List<String> verbs,
        List<String> apiGroups,
        List<String> resources,
        List<String> resourceNames,
        List<String> nonResourceUrls) {
    static Rule of(JsonNode rule) {
        return new Rule(
                Json.texts(rule.path("verbs")),
                Json.texts(rule.path("apiGroups")),
                Json.texts(rule.path("resources")),
                Json.texts(rule.path("resourceNames")),
                Json.texts(rule.path("nonResourceURLs")));
    }

    boolean covers(Attributes wanted) {
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
        ObjectNode json = Json.object();
        json.set("verbs", Json.arrayOf(verbs));
        if (nonResourceUrls.isEmpty()) {
            json.set("apiGroups", Json.arrayOf(apiGroups));
            json.set("resources", Json.arrayOf(resources));
            if (!resourceNames.isEmpty()) {
                json.set("resourceNames", Json.arrayOf(resourceNames));
            }
        } else {
            json.set("nonResourceURLs", Json.arrayOf(nonResourceUrls));
        }
        return json;
    }

    private static boolean has(List<String> listed, String wanted) {
        return listed.contains("*") || listed.contains(wanted);
    }
}
