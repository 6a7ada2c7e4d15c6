package io.osmhub.tenancy.connection;

import io.fabric8.kubernetes.api.model.authorization.v1.ResourceRule;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectRulesReviewStatus;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Result of a SelfSubjectRulesReview for one namespace.
 *
 * @param status null if there is none; any part of it may be missing
 */
record GrantedRules(@Nullable SubjectRulesReviewStatus status) {
    static final GrantedRules NONE = new GrantedRules(null);

    boolean allows(Permission permission) {
        return status != null
                && items(status.getResourceRules()).stream().anyMatch(rule -> rule != null && allows(rule, permission));
    }

    private static boolean allows(ResourceRule rule, Permission permission) {
        List<String> names = items(rule.getResourceNames());
        return contains(rule.getVerbs(), permission.verb())
                && contains(rule.getApiGroups(), permission.group())
                && (contains(rule.getResources(), permission.resource())
                        || items(rule.getResources()).contains(ofAnyResource(permission.resource())))
                && (names.isEmpty() || !permission.name().isEmpty() && names.contains(permission.name()));
    }

    /** Form in which a rule names a subresource of all resources: an asterisk instead of {@code serviceaccounts}. */
    private static String ofAnyResource(String resource) {
        return "*" + resource.substring(Math.max(0, resource.indexOf('/')));
    }

    /** The authorizer could not list all rules, so a missing one is inconclusive. */
    boolean isIncomplete() {
        return status != null && Boolean.TRUE.equals(status.getIncomplete());
    }

    private static boolean contains(@Nullable List<String> items, String item) {
        return items(items).contains("*") || items(items).contains(item);
    }

    private static <T> List<T> items(@Nullable List<T> items) {
        return Objects.requireNonNullElse(items, List.of());
    }
}
