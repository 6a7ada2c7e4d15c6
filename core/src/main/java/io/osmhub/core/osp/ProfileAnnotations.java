package io.osmhub.core.osp;

/**
 * Annotations that stand for the hub's own fields of a profile's spec, which a CustomResourceDefinition of Operating System
 * Manager (OSM) prunes. A field of the spec takes precedence. And what marks a default profile.
 */
public final class ProfileAnnotations {
    /** As {@code spec.templateEngine}. */
    public static final String TEMPLATE_ENGINE = "osmhub.io/template-engine";

    /** As {@code spec.supportedKubernetesVersions}. */
    public static final String SUPPORTED_KUBERNETES_VERSIONS = "osmhub.io/supported-kubernetes-versions";

    /** As {@code spec.supportedNodeFetch}, separated by commas. */
    public static final String SUPPORTED_NODE_FETCH = "osmhub.io/supported-node-fetch";

    /** On a default profile: hash of its content as the hub installed it. */
    public static final String INSTALLED_HASH = "osmhub.io/installed-hash";

    private ProfileAnnotations() {}
}
