package io.osmhub.core.osp;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.document.ObjectFieldReader;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.osc.CloudInitModules;
import io.osmhub.core.osc.SystemdUnit;
import io.osmhub.core.osp.OperatingSystemProfile.Config;
import io.osmhub.core.osp.OperatingSystemProfile.ContainerRuntime;
import io.osmhub.core.osp.OperatingSystemProfile.File;
import io.osmhub.core.osp.OperatingSystemProfile.Inline;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.SourcePosition;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.resource.ShippedDefinition;
import io.osmhub.core.template.language.TemplateLanguage;
import java.util.ArrayList;
import java.util.HashSet;
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

    private static final DocumentNode NOTHING = new DocumentNode.Fields(List.of(), SourcePosition.NONE);

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
        FindingsCollector mistakes = new FindingsCollector(document.source(), Reason.ProfileFileInvalid);
        ObjectFieldReader root =
                ObjectFieldReader.of(document.root(), "", mistakes).lenient();
        if (strict) {
            expect(root, "apiVersion", API_VERSION);
            expect(root, "kind", KIND, CUSTOM_KIND);
        }
        ObjectFieldReader metadata = root.objectOrEmpty("metadata");
        ObjectFieldReader annotations = metadata.objectOrEmpty("annotations");
        ObjectFieldReader content = root.objectOrEmpty("spec");
        OperatingSystemProfile.Spec spec = spec(content, annotations);
        String installed = annotations.text(ProfileAnnotations.INSTALLED_HASH, "");
        boolean others = !installed.isEmpty()
                && !content.has("templateEngine")
                && !annotations.text(ProfileAnnotations.TEMPLATE_ENGINE, "").equals(TemplateLanguage.GO.wireName())
                && ProfileAnnotations.isReplaced(spec, installed);
        if (others) {
            // The annotations were written for another spec.
            spec = spec(content, ObjectFieldReader.of(NOTHING, "", mistakes));
        } else {
            requireEngineOfDefault(document, content, annotations);
        }
        List<Problem> findings = new ArrayList<>(strict ? findRejected(document) : List.of());
        Set<String> reported = new HashSet<>();
        findings.forEach(finding -> reported.add(finding.field()));
        findings.addAll(mistakes.findings().stream()
                .filter(mistake -> reported.add(mistake.field()))
                .toList());
        if (!findings.isEmpty()) {
            throw new TenantMistake(findings);
        }
        return new OperatingSystemProfile(metadata.text("namespace", ""), metadata.text("name", ""), spec);
    }

    private static void expect(ObjectFieldReader root, String field, String... values) {
        if (!List.of(values).contains(root.text(field, ""))) {
            root.mistakes().add(field, "must be " + values[0], "");
        }
    }

    /** What the schema rejects; the hub's former fields are not in it, but files may still have them. */
    private static List<Problem> findRejected(SourceDocument document) {
        return ShippedDefinition.OPERATING_SYSTEM_PROFILES
                .check(SourceDocument.json(document.root()), null, Reason.ProfileFileInvalid)
                .stream()
                .filter(finding -> formerField(finding) == null)
                .map(finding -> finding.withObject(document.source()))
                .toList();
    }

    /** What the API server would reject in an OperatingSystemProfile that was read from a file. */
    public static List<Problem> check(JsonNode object) {
        return ShippedDefinition.OPERATING_SYSTEM_PROFILES.check(object, null, Reason.ProfileWarnings).stream()
                .map(finding -> {
                    String annotation = formerField(finding);
                    return annotation == null ? finding : finding.withFix("set annotation " + annotation + " instead");
                })
                .toList();
    }

    /** The annotation that has replaced the field of a finding; null if there is none. */
    private static @Nullable String formerField(Problem finding) {
        return finding.field().startsWith("spec.")
                ? ProfileAnnotations.of(finding.field().substring("spec.".length()))
                : null;
    }

    private static OperatingSystemProfile.Spec spec(ObjectFieldReader spec, ObjectFieldReader annotations) {
        return new OperatingSystemProfile.Spec(
                spec.text("osName", ""),
                spec.text("osVersion", ""),
                spec.text("version", ""),
                spec.objects("supportedCloudProviders", provider -> provider.text("name", "")),
                spec.text("provisioningUtility", ""),
                spec.has("templateEngine")
                        ? engine(spec, "templateEngine")
                        : engine(annotations, ProfileAnnotations.TEMPLATE_ENGINE),
                spec.has("supportedKubernetesVersions")
                        ? spec.text("supportedKubernetesVersions")
                        : annotations.text(ProfileAnnotations.SUPPORTED_KUBERNETES_VERSIONS),
                spec.has("supportedNodeFetch")
                        ? spec.readChoices(
                                "supportedNodeFetch", List.of(NodeFetchMethod.values()), NodeFetchMethod::wireName)
                        : annotatedNodeFetch(annotations),
                config(spec.objectOrEmpty("bootstrapConfig")),
                config(spec.objectOrEmpty("provisioningConfig")));
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
            throw new TenantMistake(new Problem(
                    Reason.ProfileFieldsPruned,
                    document.source(),
                    "spec.templateEngine",
                    "the CustomResourceDefinition pruned it from a default profile, so the template language is unknown",
                    "set annotation " + ProfileAnnotations.TEMPLATE_ENGINE
                            + " to handlebars, or to go if they were rewritten"));
        }
    }

    private static TemplateLanguage engine(ObjectFieldReader in, String field) {
        return in.readChoice(
                field, TemplateLanguage.GO, List.of(TemplateLanguage.values()), TemplateLanguage::wireName);
    }

    private static List<NodeFetchMethod> annotatedNodeFetch(ObjectFieldReader annotations) {
        String text = annotations.text(ProfileAnnotations.SUPPORTED_NODE_FETCH, "");
        List<NodeFetchMethod> ways = new ArrayList<>();
        for (String word : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            Stream.of(NodeFetchMethod.values())
                    .filter(way -> way.wireName().equals(word.strip()))
                    .findFirst()
                    .ifPresentOrElse(ways::add, () -> annotations
                            .mistakes()
                            .add(
                                    annotations.path(ProfileAnnotations.SUPPORTED_NODE_FETCH),
                                    "\"" + word + "\" is not a valid fetch method",
                                    "write SharedToken, ScopedToken, or both separated by a comma"));
        }
        return ways;
    }

    private static Config config(ObjectFieldReader config) {
        return new Config(
                config.objects("supportedContainerRuntimes", ProfileReader::runtime),
                config.textMap("templates"),
                config.objects("units", SystemdUnit::read),
                config.objects("files", ProfileReader::file),
                CloudInitModules.read(config.object("modules")));
    }

    private static ContainerRuntime runtime(ObjectFieldReader runtime) {
        return new ContainerRuntime(
                runtime.text("name", ""), runtime.objects("files", ProfileReader::file), runtime.textMap("templates"));
    }

    private static File file(ObjectFieldReader file) {
        Integer permissions = file.integer("permissions", Integer.MIN_VALUE, Integer.MAX_VALUE);
        ObjectFieldReader inline = file.objectOrEmpty("content").object("inline");
        return new File(
                file.text("path", ""),
                Objects.requireNonNullElse(permissions, 0),
                inline == null ? null : new Inline(inline.text("data", ""), inline.text("encoding", "")));
    }
}
