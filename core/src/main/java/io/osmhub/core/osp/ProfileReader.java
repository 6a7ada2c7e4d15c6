package io.osmhub.core.osp;

import com.google.re2j.Pattern;
import io.osmhub.core.document.Document;
import io.osmhub.core.document.Mistakes;
import io.osmhub.core.document.ObjectReader;
import io.osmhub.core.osc.ConfigPartReader;
import io.osmhub.core.osp.OperatingSystemProfile.Config;
import io.osmhub.core.osp.OperatingSystemProfile.ContainerRuntime;
import io.osmhub.core.osp.OperatingSystemProfile.File;
import io.osmhub.core.osp.OperatingSystemProfile.Inline;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads profiles. All mistakes of one profile are reported together. */
public final class ProfileReader {
    public static final String API_VERSION = "operatingsystemmanager.k8c.io/v1alpha1";
    public static final String KIND = "OperatingSystemProfile";

    private static final Pattern VERSION = Pattern.compile(OperatingSystemProfile.VERSION);

    private final boolean strict;
    private final ConfigPartReader parts;

    private ProfileReader(boolean strict) {
        this.strict = strict;
        this.parts = new ConfigPartReader(strict);
    }

    /** For profiles as the API server stores them: its schema has checked them, and a field that we do not know is not ours. */
    public static ProfileReader stored() {
        return new ProfileReader(false);
    }

    /** For files that people write: unknown fields are mistakes, and so is what the schema would refuse. */
    public static ProfileReader strict() {
        return new ProfileReader(true);
    }

    /**
     * Reads one profile.
     *
     * @throws TenantMistake with every mistake, reason {@code ProfileInvalid}; or with {@code ProfileFieldsPruned} alone
     */
    public OperatingSystemProfile read(Document document) {
        Mistakes mistakes = new Mistakes(document.source(), "ProfileInvalid");
        ObjectReader root = ObjectReader.of(document.root(), "", mistakes);
        if (strict) {
            expect(root, "apiVersion", API_VERSION);
            expect(root, "kind", KIND);
        } else {
            root.value("apiVersion");
            root.value("kind");
        }
        root.value("status");
        ObjectReader metadata = object(root, "metadata");
        String name = text(metadata, "name");
        String namespace = metadata.text("namespace", "");
        ObjectReader annotations = metadata.objectOrEmpty("annotations");
        ObjectReader content = object(root, "spec");
        requireEngineOfDefault(document, content, annotations);
        OperatingSystemProfile.Spec spec = spec(content, annotations);
        finish(root);
        mistakes.raise();
        return new OperatingSystemProfile(namespace, name, spec);
    }

    private static void expect(ObjectReader root, String field, String value) {
        if (!root.requiredText(field).equals(value) && root.has(field)) {
            root.mistakes().add(field, "must be " + value, "");
        }
    }

    private OperatingSystemProfile.Spec spec(ObjectReader spec, ObjectReader annotations) {
        String version = text(spec, "version");
        if (strict && !version.isEmpty() && !VERSION.matcher(version).find()) {
            spec.mistakes()
                    .add(
                            spec.path("version"),
                            "\"" + version + "\" is not a valid version",
                            "write for example v1.0.0");
        }
        if (strict && !spec.has("supportedCloudProviders")) {
            spec.missing("supportedCloudProviders");
        }
        OperatingSystemProfile.Spec read = new OperatingSystemProfile.Spec(
                text(spec, "osName"),
                text(spec, "osVersion"),
                version,
                spec.objects("supportedCloudProviders", this::cloudProvider),
                spec.text("provisioningUtility", ""),
                spec.has("templateEngine")
                        ? engine(spec, "templateEngine")
                        : engine(annotations, ProfileAnnotations.TEMPLATE_ENGINE),
                spec.has("supportedKubernetesVersions")
                        ? spec.text("supportedKubernetesVersions")
                        : annotations.text(ProfileAnnotations.SUPPORTED_KUBERNETES_VERSIONS),
                spec.has("supportedNodeFetch") ? nodeFetch(spec) : annotatedNodeFetch(annotations),
                config(object(spec, "bootstrapConfig")),
                config(object(spec, "provisioningConfig")));
        finish(spec);
        return read;
    }

    /**
     * A default profile names its language, and an earlier hub named it in the spec only. Without it the templates are not taken for
     * Go: their author wrote no mistake.
     */
    private static void requireEngineOfDefault(Document document, ObjectReader spec, ObjectReader annotations) {
        if (annotations.has(ProfileAnnotations.INSTALLED_HASH)
                && !annotations.has(ProfileAnnotations.TEMPLATE_ENGINE)
                && !spec.has("templateEngine")) {
            throw new TenantMistake(new Finding(
                    Reason.ProfileFieldsPruned.word(),
                    document.source(),
                    "spec.templateEngine",
                    "the CustomResourceDefinition pruned it from a default profile, so the language of its templates is not known",
                    "set annotation " + ProfileAnnotations.TEMPLATE_ENGINE
                            + " to handlebars, or to go if they were rewritten"));
        }
    }

    private static TemplateLanguage engine(ObjectReader in, String field) {
        return in.oneOf(field, TemplateLanguage.GO, List.of(TemplateLanguage.values()), TemplateLanguage::wireName);
    }

    private static List<NodeFetch> annotatedNodeFetch(ObjectReader annotations) {
        String text = annotations.text(ProfileAnnotations.SUPPORTED_NODE_FETCH, "");
        List<NodeFetch> ways = new ArrayList<>();
        for (String word : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            NodeFetch way = Stream.of(NodeFetch.values())
                    .filter(one -> one.wireName().equals(word.strip()))
                    .findFirst()
                    .orElse(null);
            if (way == null) {
                annotations
                        .mistakes()
                        .add(
                                annotations.path(ProfileAnnotations.SUPPORTED_NODE_FETCH),
                                "\"" + word + "\" is not a way to fetch",
                                "write SharedToken, ScopedToken, or both separated by a comma");
            } else {
                ways.add(way);
            }
        }
        return ways;
    }

    private List<NodeFetch> nodeFetch(ObjectReader spec) {
        List<NodeFetch> ways = spec.eachOf("supportedNodeFetch", List.of(NodeFetch.values()), NodeFetch::wireName);
        if (strict && spec.has("supportedNodeFetch") && ways.isEmpty()) {
            spec.mistakes()
                    .add(spec.path("supportedNodeFetch"), "names none", "leave it out, which means SharedToken only");
        }
        if (strict && Set.copyOf(ways).size() < ways.size()) {
            spec.mistakes().add(spec.path("supportedNodeFetch"), "names one twice", "name each once");
        }
        return ways;
    }

    private String cloudProvider(ObjectReader provider) {
        String name = text(provider, "name");
        provider.value("spec");
        finish(provider);
        return name;
    }

    private Config config(ObjectReader config) {
        Config read = new Config(
                config.objects("supportedContainerRuntimes", this::runtime),
                config.textMap("templates"),
                config.objects("units", parts::unit),
                config.objects("files", this::file),
                parts.modules(config.object("modules")));
        finish(config);
        return read;
    }

    private ContainerRuntime runtime(ObjectReader runtime) {
        ContainerRuntime read = new ContainerRuntime(
                text(runtime, "name"), runtime.objects("files", this::file), runtime.textMap("templates"));
        finish(runtime);
        return read;
    }

    private File file(ObjectReader file) {
        Integer permissions = file.integer("permissions", Integer.MIN_VALUE, Integer.MAX_VALUE);
        ObjectReader content = file.objectOrEmpty("content");
        File read = new File(
                text(file, "path"), Objects.requireNonNullElse(permissions, 0), inline(content.object("inline")));
        finish(content);
        finish(file);
        return read;
    }

    private @Nullable Inline inline(@Nullable ObjectReader inline) {
        if (inline == null) {
            return null;
        }
        Inline read = new Inline(inline.text("data", ""), inline.text("encoding", ""));
        finish(inline);
        return read;
    }

    /** A field that the schema wants; one that is missing all the same counts as empty. */
    private String text(ObjectReader reader, String field) {
        return strict ? reader.requiredText(field) : reader.text(field, "");
    }

    private ObjectReader object(ObjectReader reader, String field) {
        return strict ? reader.requiredObject(field) : reader.objectOrEmpty(field);
    }

    private void finish(ObjectReader reader) {
        if (strict) {
            reader.refuseUnknown();
        }
    }
}
