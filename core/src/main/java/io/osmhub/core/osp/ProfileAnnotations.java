package io.osmhub.core.osp;

/**
 * Annotations for fields that a CustomResourceDefinition of OSM prunes from a profile's spec (the spec takes
 * precedence), and the mark of a default profile.
 */
public final class ProfileAnnotations {
    /** Replaces {@code spec.templateEngine}. */
    public static final String TEMPLATE_ENGINE = "osmhub.io/template-engine";

    /** Replaces {@code spec.supportedKubernetesVersions}. */
    public static final String SUPPORTED_KUBERNETES_VERSIONS = "osmhub.io/supported-kubernetes-versions";

    /** Replaces {@code spec.supportedNodeFetch}; separated by commas. */
    public static final String SUPPORTED_NODE_FETCH = "osmhub.io/supported-node-fetch";

    /** On a default profile: hash of its content as the hub installed it. */
    public static final String INSTALLED_HASH = "osmhub.io/installed-hash";

    private ProfileAnnotations() {}
}
