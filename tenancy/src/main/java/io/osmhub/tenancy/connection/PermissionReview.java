package io.osmhub.tenancy.connection;

import io.fabric8.kubernetes.api.model.authentication.SelfSubjectReview;
import io.fabric8.kubernetes.api.model.authentication.SelfSubjectReviewStatus;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectRulesReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectRulesReviewBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewStatus;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Reviews an API server's permissions for the hub's own account. Blocks.
 *
 * @param executor runs requests that do not depend on each other
 */
public record PermissionReview(KubeApi api, Executor executor) {
    /** Sends one request after the other. */
    public PermissionReview(KubeApi api) {
        this(api, Runnable::run);
    }

    /**
     * The permissions that are not granted, in the same order. Cluster-wide rules apply to every namespace, so a namespace is reviewed
     * only if they do not suffice. Permissions that an authorizer did not list are reviewed individually, unless its list is complete.
     */
    public List<Permission> missing(List<Permission> needed) throws ApiFailure {
        boolean anyClusterWide =
                needed.stream().anyMatch(permission -> permission.namespace().isEmpty());
        GrantedRules clusterWide = anyClusterWide ? rules(Permission.NO_NAMESPACE) : GrantedRules.NONE;
        Map<String, CompletableFuture<GrantedRules>> namespaced = new HashMap<>();
        for (Permission permission : needed) {
            if (!permission.namespace().isEmpty() && !clusterWide.allows(permission)) {
                namespaced.computeIfAbsent(
                        permission.namespace(), namespace -> ConcurrentRequest.start(() -> rules(namespace), executor));
            }
        }
        Map<Permission, CompletableFuture<Boolean>> reviewed = new LinkedHashMap<>();
        for (Permission permission : needed) {
            CompletableFuture<GrantedRules> namespace = namespaced.get(permission.namespace());
            GrantedRules rules = namespace == null ? clusterWide : ConcurrentRequest.join(namespace);
            if (!rules.allows(permission)) {
                reviewed.put(
                        permission,
                        rules.isIncomplete()
                                ? ConcurrentRequest.start(() -> isAllowed(permission), executor)
                                : CompletableFuture.completedFuture(false));
            }
        }
        List<Permission> missing = new ArrayList<>();
        for (Map.Entry<Permission, CompletableFuture<Boolean>> permission : reviewed.entrySet()) {
            if (!ConcurrentRequest.join(permission.getValue())) {
                missing.add(permission.getKey());
            }
        }
        return missing;
    }

    private GrantedRules rules(String namespace) throws ApiFailure {
        SelfSubjectRulesReview review = new SelfSubjectRulesReviewBuilder()
                .withNewSpec()
                .withNamespace(namespace)
                .endSpec()
                .build();
        return new GrantedRules(WireJson.present(
                        api.<@Nullable SelfSubjectRulesReview>call(client -> client.authorization()
                                .v1()
                                .selfSubjectRulesReview()
                                .create(review)),
                        "a SelfSubjectRulesReview")
                .getStatus());
    }

    private boolean isAllowed(Permission permission) throws ApiFailure {
        String[] resource = permission.resource().split("/", 2);
        SelfSubjectAccessReview review = new SelfSubjectAccessReviewBuilder()
                .withNewSpec()
                .withNewResourceAttributes()
                .withVerb(permission.verb())
                .withGroup(permission.group())
                .withResource(resource[0])
                .withSubresource(resource.length == 1 ? null : resource[1])
                .withNamespace(permission.namespace())
                .withName(permission.name())
                .endResourceAttributes()
                .endSpec()
                .build();
        SubjectAccessReviewStatus status = WireJson.present(
                        api.<@Nullable SelfSubjectAccessReview>call(client -> client.authorization()
                                .v1()
                                .selfSubjectAccessReview()
                                .create(review)),
                        "a SelfSubjectAccessReview")
                .getStatus();
        return status != null && Boolean.TRUE.equals(status.getAllowed());
    }

    /** User as which the API server authenticates the hub, for messages; empty if it is unknown. */
    public String user() {
        try {
            return reviewUser();
        } catch (ApiFailure e) {
            return "";
        }
    }

    /** User as which the API server authenticates the hub; empty if it does not report it, as API servers before 1.28. */
    String reviewUser() throws ApiFailure {
        try {
            SelfSubjectReviewStatus status = WireJson.present(
                            api.<@Nullable SelfSubjectReview>call(client -> client.authentication()
                                    .v1()
                                    .selfSubjectReviews()
                                    .create(new SelfSubjectReview())),
                            "a SelfSubjectReview")
                    .getStatus();
            String user = status == null || status.getUserInfo() == null
                    ? null
                    : status.getUserInfo().getUsername();
            return Objects.requireNonNullElse(user, "");
        } catch (ApiFailure failure) {
            if (failure.isForbidden() || failure.isNotFound()) {
                return "";
            }
            throw failure;
        }
    }
}
