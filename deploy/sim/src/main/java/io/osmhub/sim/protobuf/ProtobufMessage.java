package io.osmhub.sim.protobuf;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The messages that kubectl sends, as in the generated.proto files of Kubernetes 1.34. A field is written {@code number name type}:
 * {@code s} string, {@code b} bool, {@code i} integer, {@code y} bytes, {@code t} time, {@code M} map of strings, {@code Y} map of bytes,
 * otherwise the name of a message; {@code *} means repeated.
 */
record ProtobufMessage(Map<Integer, ProtobufField> fields) {
    record ProtobufField(String name, String type, boolean repeated) {}

    private static final Map<String, ProtobufMessage> ALL = new HashMap<>();

    static {
        define(
                "ObjectMeta",
                "1 name s,2 generateName s,3 namespace s,5 uid s,6 resourceVersion s,7 generation i,"
                        + "8 creationTimestamp t,11 labels M,12 annotations M,13 ownerReferences OwnerReference*,14 finalizers s*");
        define("OwnerReference", "1 kind s,3 name s,4 uid s,5 apiVersion s,6 controller b,7 blockOwnerDeletion b");
        define("Namespace", "1 metadata ObjectMeta,2 spec NamespaceSpec");
        define("NamespaceSpec", "1 finalizers s*");
        define("Secret", "1 metadata ObjectMeta,2 data Y,3 type s,4 stringData M,5 immutable b");
        define("ConfigMap", "1 metadata ObjectMeta,2 data M,3 binaryData Y,4 immutable b");
        define(
                "ServiceAccount",
                "1 metadata ObjectMeta,3 imagePullSecrets LocalObjectReference*,4 automountServiceAccountToken b");
        define("LocalObjectReference", "1 name s");
        define("Role", "1 metadata ObjectMeta,2 rules PolicyRule*");
        define("ClusterRole", "1 metadata ObjectMeta,2 rules PolicyRule*");
        define("PolicyRule", "1 verbs s*,2 apiGroups s*,3 resources s*,4 resourceNames s*,5 nonResourceURLs s*");
        define("RoleBinding", "1 metadata ObjectMeta,2 subjects Subject*,3 roleRef RoleRef");
        define("ClusterRoleBinding", "1 metadata ObjectMeta,2 subjects Subject*,3 roleRef RoleRef");
        define("Subject", "1 kind s,2 apiGroup s,3 name s,4 namespace s");
        define("RoleRef", "1 apiGroup s,2 kind s,3 name s");
        define("Lease", "1 metadata ObjectMeta,2 spec LeaseSpec");
        define(
                "LeaseSpec",
                "1 holderIdentity s,2 leaseDurationSeconds i,3 acquireTime t,4 renewTime t,5 leaseTransitions i");
        define("TokenRequest", "1 metadata ObjectMeta,2 spec TokenRequestSpec");
        define("TokenRequestSpec", "1 audiences s*,4 expirationSeconds i");
        define("TokenReview", "1 metadata ObjectMeta,2 spec TokenReviewSpec");
        define("TokenReviewSpec", "1 token s,2 audiences s*");
        define("SelfSubjectReview", "1 metadata ObjectMeta");
        define("SelfSubjectAccessReview", "1 metadata ObjectMeta,2 spec AccessReviewSpec");
        define("SubjectAccessReview", "1 metadata ObjectMeta,2 spec AccessReviewSpec");
        define("LocalSubjectAccessReview", "1 metadata ObjectMeta,2 spec AccessReviewSpec");
        define(
                "AccessReviewSpec",
                "1 resourceAttributes ResourceAttributes,2 nonResourceAttributes NonResourceAttributes,"
                        + "3 user s,4 groups s*,6 uid s");
        define(
                "ResourceAttributes",
                "1 namespace s,2 verb s,3 group s,4 version s,5 resource s,6 subresource s,7 name s");
        define("NonResourceAttributes", "1 path s,2 verb s");
        define("SelfSubjectRulesReview", "1 metadata ObjectMeta,2 spec RulesReviewSpec");
        define("RulesReviewSpec", "1 namespace s");
        define(
                "DeleteOptions",
                "1 gracePeriodSeconds i,2 preconditions Preconditions,4 propagationPolicy s,5 dryRun s*");
        define("Preconditions", "1 uid s,2 resourceVersion s");
        define("Unknown", "1 typeMeta TypeMeta,2 raw y");
        define("TypeMeta", "1 apiVersion s,2 kind s");
    }

    static Optional<ProtobufMessage> named(String name) {
        return Optional.ofNullable(ALL.get(name));
    }

    private static void define(String name, String fields) {
        Map<Integer, ProtobufField> byNumber = new HashMap<>();
        for (String field : fields.split(",")) {
            String[] parts = field.split(" ");
            boolean repeated = parts[2].endsWith("*");
            String type = repeated ? parts[2].substring(0, parts[2].length() - 1) : parts[2];
            byNumber.put(Integer.parseInt(parts[0]), new ProtobufField(parts[1], type, repeated));
        }
        ALL.put(name, new ProtobufMessage(Map.copyOf(byNumber)));
    }
}
