package io.osmhub.tenancy.connection;

import com.fasterxml.jackson.databind.JsonNode;

/** Result of a SelfSubjectRulesReview for one namespace. */
public record GrantedRules(JsonNode status) {
    public boolean allows(Permission permission) {
        for (JsonNode rule : status.path("resourceRules")) {
            if (names(rule.path("verbs"), permission.verb())
                    && names(rule.path("apiGroups"), permission.group())
                    && names(rule.path("resources"), permission.resource())
                    && allowsName(rule.path("resourceNames"), permission.name())) {
                return true;
            }
        }
        return false;
    }

    /** The authorizer could not list all rules, so a missing one is inconclusive. */
    boolean isIncomplete() {
        return status.path("incomplete").asBoolean(false);
    }

    private static boolean names(JsonNode list, String word) {
        for (JsonNode one : list) {
            String text = one.asText();
            if (text.equals("*") || text.equals(word)) {
                return true;
            }
        }
        return false;
    }

    private static boolean allowsName(JsonNode names, String name) {
        if (names.isEmpty()) {
            return true;
        }
        for (JsonNode one : names) {
            if (!name.isEmpty() && one.asText().equals(name)) {
                return true;
            }
        }
        return false;
    }
}
