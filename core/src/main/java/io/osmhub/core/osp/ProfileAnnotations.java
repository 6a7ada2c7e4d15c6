package io.osmhub.core.osp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Pattern;
import io.osmhub.core.model.Sha256;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The hub's fields of a profile. They are annotations, because OSM's CustomResourceDefinition prunes unknown fields. Up to schema
 * revision 2 the hub's own definition had fields for them in {@code spec}; these are read still and take precedence.
 */
public final class ProfileAnnotations {
    /** Template language: {@code go} or {@code handlebars}. */
    public static final String TEMPLATE_ENGINE = "osmhub.io/template-engine";

    /** Constraint on the kubelet version. */
    public static final String SUPPORTED_KUBERNETES_VERSIONS = "osmhub.io/supported-kubernetes-versions";

    /** Fetch methods, separated by commas. */
    public static final String SUPPORTED_NODE_FETCH = "osmhub.io/supported-node-fetch";

    /** On a default profile: hash of its content as the hub installed it. */
    public static final String INSTALLED_HASH = "osmhub.io/installed-hash";

    private static final Map<String, String> BY_FORMER_FIELD = Map.of(
            "templateEngine", TEMPLATE_ENGINE,
            "supportedKubernetesVersions", SUPPORTED_KUBERNETES_VERSIONS,
            "supportedNodeFetch", SUPPORTED_NODE_FETCH);

    /** A block, end of a block, inverted block or comment of Handlebars; Go has only the comment with an asterisk. */
    private static final Pattern HANDLEBARS = Pattern.compile("\\{\\{\\{?~?(?:[#^!]|/[A-Za-z])");

    /** An action that only Go's templates have. */
    private static final Pattern GO =
            Pattern.compile("\\{\\{-? *(?:\\.[A-Za-z]|\\$|`|\\\\\"|/\\*|(?:if|range|with|define|template|block) "
                    + "|end *-?\\}\\})|\\{\\{- | -\\}\\}");

    private ProfileAnnotations() {}

    /**
     * Whether the spec of a default profile was replaced by OSM's, which keeps the annotations of the hub: it differs from the
     * installed one, and its templates are Go's. An edit of the installed one is in Handlebars still.
     *
     * @param installedHash value of {@link #INSTALLED_HASH}
     */
    static boolean isReplaced(OperatingSystemProfile.Spec spec, String installedHash) {
        String json = ProfileContentHash.json(spec);
        return !HANDLEBARS.matcher(json).find()
                && GO.matcher(json).find()
                && !Sha256.hex(json).equals(installedHash);
    }

    /** The annotation that has replaced a field of {@code spec}; null if there is none. */
    static @Nullable String of(String formerField) {
        return BY_FORMER_FIELD.get(formerField);
    }

    /**
     * The annotations that a stored profile still lacks for the fields of its {@code spec}; empty if a definition without these
     * fields would lose nothing.
     */
    public static SortedMap<String, String> missing(JsonNode profile) {
        SortedMap<String, String> missing = new TreeMap<>();
        JsonNode annotations = profile.path("metadata").path("annotations");
        BY_FORMER_FIELD.forEach((field, annotation) -> {
            JsonNode value = profile.path("spec").path(field);
            String text = value.isArray()
                    ? value.valueStream().map(JsonNode::asText).collect(Collectors.joining(","))
                    : value.asText("");
            // The field takes precedence, so an annotation that differs has no effect yet.
            if (!text.isEmpty() && !annotations.path(annotation).asText("").equals(text)) {
                missing.put(annotation, text);
            }
        });
        return Collections.unmodifiableSortedMap(missing);
    }

    /** Replaces the fields of {@code spec} in an object that has them. */
    public static void replaceFields(ObjectNode profile) {
        missing(profile).forEach(profile.withObject("/metadata/annotations")::put);
        profile.withObject("/spec").remove(BY_FORMER_FIELD.keySet());
    }
}
