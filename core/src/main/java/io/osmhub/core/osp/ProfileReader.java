package io.osmhub.core.osp;

import com.google.re2j.Pattern;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.document.ObjectFieldReader;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.osc.ConfigPartReader;
import io.osmhub.core.osp.OperatingSystemProfile.Config;
import io.osmhub.core.osp.OperatingSystemProfile.ContainerRuntime;
import io.osmhub.core.osp.OperatingSystemProfile.File;
import io.osmhub.core.osp.OperatingSystemProfile.Inline;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.template.language.TemplateLanguage;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads profiles. Reports all mistakes of one profile together. */
public final class ProfileReader {
    public static final String API_VERSION = "operatingsystemmanager.k8c.io/v1alpha1";
    public static final String KIND = "OperatingSystemProfile";

    /** KKP's kind of a profile for all user clusters of a seed, with the same spec. KKP copies it as {@link #KIND}. */
    public static final String CUSTOM_KIND = "CustomOperatingSystemProfile";

    private static final Pattern VERSION = Pattern.compile(OperatingSystemProfile.VERSION);

    private final boolean strict;

    private ProfileReader(boolean strict) {
        this.strict = strict;
    }

    /** For profiles from the API server: its schema has checked them, and unknown fields are ignored. */
    public static ProfileReader stored() {
        return new ProfileReader(false);
    }

    /** For files: unknown fields are mistakes, and so is what the schema would reject. */
    public static ProfileReader strict() {
        return new ProfileReader(true);
    }

    /**
     * Reads one profile.
     *
     * @throws TenantMistake with every mistake, reason {@code ProfileInvalid}; or with {@code ProfileFieldsPruned} alone
     */
    public OperatingSystemProfile read(SourceDocument document) {
        FindingsCollector mistakes = new FindingsCollector(document.source(), "ProfileInvalid");
        ObjectFieldReader read = ObjectFieldReader.of(document.root(), "", mistakes);
        ObjectFieldReader root = strict ? read : read.lenient();
        if (strict) {
            expect(root, "apiVersion", API_VERSION);
            expect(root, "kind", KIND, CUSTOM_KIND);
        } else {
            root.value("apiVersion");
            root.value("kind");
        }
        root.value("status");
        ObjectFieldReader metadata = root.requiredObject("metadata");
        String name = metadata.requiredText("name");
        String namespace = metadata.text("namespace", "");
        ObjectFieldReader annotations = metadata.objectOrEmpty("annotations");
        ObjectFieldReader content = root.requiredObject("spec");
        OperatingSystemProfile.Spec spec = spec(content, annotations);
        String installed = annotations.text(ProfileAnnotations.INSTALLED_HASH, "");
        boolean others = !installed.isEmpty()
                && !content.has("templateEngine")
                && !annotations.text(ProfileAnnotations.TEMPLATE_ENGINE, "").equals(TemplateLanguage.GO.wireName())
                && ProfileAnnotations.isReplaced(spec, installed);
        if (others) {
            spec = withoutAnnotations(spec);
        } else {
            requireEngineOfDefault(document, content, annotations);
        }
        root.reportUnknownFields();
        mistakes.throwIfAny();
        return new OperatingSystemProfile(namespace, name, spec);
    }

    private static void expect(ObjectFieldReader root, String field, String... values) {
        if (!List.of(values).contains(root.requiredText(field)) && root.has(field)) {
            root.mistakes().add(field, "must be " + values[0], "");
        }
    }

    private OperatingSystemProfile.Spec spec(ObjectFieldReader spec, ObjectFieldReader annotations) {
        String version = spec.requiredText("version");
        if (strict && !version.isEmpty() && !VERSION.matcher(version).find()) {
            spec.mistakes()
                    .add(
                            spec.path("version"),
                            "\"" + version + "\" is not a valid version",
                            "write for example v1.0.0");
        }
        if (!spec.has("supportedCloudProviders")) {
            spec.reportMissing("supportedCloudProviders");
        }
        OperatingSystemProfile.Spec read = new OperatingSystemProfile.Spec(
                spec.requiredText("osName"),
                spec.requiredText("osVersion"),
                version,
                spec.objects("supportedCloudProviders", ProfileReader::cloudProvider),
                spec.text("provisioningUtility", ""),
                spec.has("templateEngine")
                        ? engine(spec, "templateEngine")
                        : engine(annotations, ProfileAnnotations.TEMPLATE_ENGINE),
                spec.has("supportedKubernetesVersions")
                        ? spec.text("supportedKubernetesVersions")
                        : annotations.text(ProfileAnnotations.SUPPORTED_KUBERNETES_VERSIONS),
                spec.has("supportedNodeFetch") ? nodeFetch(spec) : annotatedNodeFetch(annotations),
                config(spec.requiredObject("bootstrapConfig")),
                config(spec.requiredObject("provisioningConfig")));
        spec.reportUnknownFields();
        return read;
    }

    /**
     * A default profile names its language, and an earlier hub named it only in the spec. Without it the templates must
     * not be parsed as Go, which would report mistakes that their author did not make.
     */
    private static void requireEngineOfDefault(
            SourceDocument document, ObjectFieldReader spec, ObjectFieldReader annotations) {
        if (annotations.has(ProfileAnnotations.INSTALLED_HASH)
                && !annotations.has(ProfileAnnotations.TEMPLATE_ENGINE)
                && !spec.has("templateEngine")) {
            throw new TenantMistake(new ProblemFinding(
                    Reason.ProfileFieldsPruned.wireName(),
                    document.source(),
                    "spec.templateEngine",
                    "the CustomResourceDefinition pruned it from a default profile, so the template language is unknown",
                    "set annotation " + ProfileAnnotations.TEMPLATE_ENGINE
                            + " to handlebars, or to go if they were rewritten"));
        }
    }

    /** The annotations were written for another spec. */
    private static OperatingSystemProfile.Spec withoutAnnotations(OperatingSystemProfile.Spec spec) {
        return new OperatingSystemProfile.Spec(
                spec.osName(),
                spec.osVersion(),
                spec.version(),
                spec.supportedCloudProviders(),
                spec.provisioningUtility(),
                TemplateLanguage.GO,
                null,
                List.of(),
                spec.bootstrapConfig(),
                spec.provisioningConfig());
    }

    private static TemplateLanguage engine(ObjectFieldReader in, String field) {
        return in.readChoice(
                field, TemplateLanguage.GO, List.of(TemplateLanguage.values()), TemplateLanguage::wireName);
    }

    private static List<NodeFetchMethod> annotatedNodeFetch(ObjectFieldReader annotations) {
        String text = annotations.text(ProfileAnnotations.SUPPORTED_NODE_FETCH, "");
        List<NodeFetchMethod> ways = new ArrayList<>();
        for (String word : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            NodeFetchMethod way = Stream.of(NodeFetchMethod.values())
                    .filter(one -> one.wireName().equals(word.strip()))
                    .findFirst()
                    .orElse(null);
            if (way == null) {
                annotations
                        .mistakes()
                        .add(
                                annotations.path(ProfileAnnotations.SUPPORTED_NODE_FETCH),
                                "\"" + word + "\" is not a valid fetch method",
                                "write SharedToken, ScopedToken, or both separated by a comma");
            } else {
                ways.add(way);
            }
        }
        return ways;
    }

    private List<NodeFetchMethod> nodeFetch(ObjectFieldReader spec) {
        List<NodeFetchMethod> ways =
                spec.readChoices("supportedNodeFetch", List.of(NodeFetchMethod.values()), NodeFetchMethod::wireName);
        if (strict && spec.has("supportedNodeFetch") && ways.isEmpty()) {
            spec.mistakes()
                    .add(spec.path("supportedNodeFetch"), "is empty", "leave it out, which means SharedToken only");
        }
        if (strict && Set.copyOf(ways).size() < ways.size()) {
            spec.mistakes().add(spec.path("supportedNodeFetch"), "has a duplicate", "remove the duplicate");
        }
        return ways;
    }

    private static String cloudProvider(ObjectFieldReader provider) {
        String name = provider.requiredText("name");
        provider.value("spec");
        provider.reportUnknownFields();
        return name;
    }

    private static Config config(ObjectFieldReader config) {
        Config read = new Config(
                config.objects("supportedContainerRuntimes", ProfileReader::runtime),
                config.textMap("templates"),
                config.objects("units", ConfigPartReader::unit),
                config.objects("files", ProfileReader::file),
                ConfigPartReader.modules(config.object("modules")));
        config.reportUnknownFields();
        return read;
    }

    private static ContainerRuntime runtime(ObjectFieldReader runtime) {
        ContainerRuntime read = new ContainerRuntime(
                runtime.requiredText("name"),
                runtime.objects("files", ProfileReader::file),
                runtime.textMap("templates"));
        runtime.reportUnknownFields();
        return read;
    }

    private static File file(ObjectFieldReader file) {
        Integer permissions = file.integer("permissions", Integer.MIN_VALUE, Integer.MAX_VALUE);
        ObjectFieldReader content = file.objectOrEmpty("content");
        File read = new File(
                file.requiredText("path"),
                Objects.requireNonNullElse(permissions, 0),
                inline(content.object("inline")));
        content.reportUnknownFields();
        file.reportUnknownFields();
        return read;
    }

    private static @Nullable Inline inline(@Nullable ObjectFieldReader inline) {
        if (inline == null) {
            return null;
        }
        Inline read = new Inline(inline.text("data", ""), inline.text("encoding", ""));
        inline.reportUnknownFields();
        return read;
    }
}
