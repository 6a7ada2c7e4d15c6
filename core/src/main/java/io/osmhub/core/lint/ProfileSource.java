package io.osmhub.core.lint;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.OperatingSystemProfile.Config;
import io.osmhub.core.osp.OperatingSystemProfile.ContainerRuntime;
import io.osmhub.core.osp.OperatingSystemProfile.File;
import io.osmhub.core.osp.OperatingSystemProfile.Inline;
import io.osmhub.core.osp.OperatingSystemProfile.Spec;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.SourcePosition;
import io.osmhub.core.problem.TenantMistake;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A profile with its text, its files and snippets, and the position of each of their lines. */
final class ProfileSource {
    /** With more mistakes, checking the rest is of little use. */
    private static final int MOST_MISTAKES = 20;

    /** A step of a field's path: a key or index in brackets, or a name. */
    private static final Pattern STEP = Pattern.compile("\\[([^\\]]*)]|([^.\\[]+)");

    private static final Pattern WORD = Pattern.compile("[^ \\t,}\\]#]*");

    /** The two configurations, by their name in {@code spec}. */
    enum ConfigName {
        bootstrapConfig,
        provisioningConfig;

        String field() {
            return "spec." + name();
        }

        Config of(Spec spec) {
            return this == bootstrapConfig ? spec.bootstrapConfig() : spec.provisioningConfig();
        }

        OperatingSystemConfig.Config of(OperatingSystemConfig.Spec spec) {
            return this == bootstrapConfig ? spec.bootstrapConfig() : spec.provisioningConfig();
        }
    }

    /**
     * A file or snippet of the profile.
     *
     * @param field its path, for example {@code spec.bootstrapConfig.files[3]}
     * @param file null for a snippet
     * @param text empty if the file has none
     */
    record Template(
            ConfigName config, String field, @Nullable File file, String text) {
        /** Of the file; empty for a snippet. */
        String path() {
            return file == null ? "" : file.path();
        }

        /** Of the file; empty if it has none. */
        String encoding() {
            return file == null || file.inline() == null ? "" : file.inline().encoding();
        }

        /** The field with the file's path in parentheses. */
        String label() {
            return file == null ? field : field + " (" + file.path() + ")";
        }

        /** Whether the renderer means it with a field, which for a snippet is one of the configuration. */
        boolean isNamed(String rendered) {
            return file == null
                    ? rendered.equals(config.field() + field.substring(field.indexOf(".templates[")))
                    : rendered.equals(label());
        }

        String textField() {
            return file == null ? field : field + ".content.inline.data";
        }
    }

    private final SourceDocument document;
    private final OperatingSystemProfile profile;
    private final List<String> lines;
    private final List<Template> templates = new ArrayList<>();

    private final Map<String, List<SourceLine>> linesByText;

    /** The profile with a content of each file and a utility that allow rendering. */
    private final ObjectNode renderable;

    private ProfileSource(String text, SourceDocument document, ObjectNode object, OperatingSystemProfile profile) {
        this.document = document;
        this.profile = profile;
        this.lines = text.lines().toList();
        for (ConfigName name : ConfigName.values()) {
            addTemplates(name);
        }
        this.linesByText = linesByText(templates);
        this.renderable = object;
        Spec spec = profile.spec();
        // With another content, the annotations of a default profile do not count.
        object.withObject("/metadata").remove("annotations");
        ObjectNode content = object.withObject("/spec")
                .put("templateEngine", spec.templateEngine().wireName());
        content.remove("supportedKubernetesVersions");
        if (spec.provisioningUtility().equals("ignition") && !spec.osName().equals("flatcar")) {
            content.put("provisioningUtility", "cloud-init");
        }
        templates.stream()
                .filter(template -> template.file() != null && template.file().inline() == null)
                .forEach(template -> object.withObject(pointer(template.field() + ".content.inline")));
    }

    /** A profile without its invalid fields, so that they do not keep the rest from being checked; null if nothing is left. */
    static @Nullable ProfileSource of(String text, SourceDocument document) {
        if (!(SourceDocument.json(document.root()) instanceof ObjectNode object)) {
            return null;
        }
        for (int i = 0; i < MOST_MISTAKES; i++) {
            try {
                return new ProfileSource(text, document, object, read(document, object));
            } catch (TenantMistake e) {
                JsonNode before = object.deepCopy();
                for (Problem mistake : e.findings()) {
                    JsonPointer field = pointer(mistake.field());
                    if (!mistake.field().isEmpty() && object.at(field.head()) instanceof ObjectNode parent) {
                        parent.remove(field.last().getMatchingProperty());
                    }
                }
                if (e.findings().size() > MOST_MISTAKES || object.equals(before)) {
                    return null;
                }
            }
        }
        return null;
    }

    private static OperatingSystemProfile read(SourceDocument document, JsonNode object) {
        return ProfileReader.stored().read(SourceDocument.of(document.source(), object));
    }

    private static JsonPointer pointer(String field) {
        JsonPointer pointer = JsonPointer.empty();
        for (Matcher step = STEP.matcher(field); step.find(); ) {
            pointer = pointer.appendProperty(step.group(1) == null ? step.group(2) : step.group(1));
        }
        return pointer;
    }

    /** Snippets, then files in the order in which they are rendered: the configuration's own, then the container runtime's. */
    private void addTemplates(ConfigName name) {
        Config config = name.of(profile.spec());
        // The only supported runtime; of several entries with its name the first counts.
        int index = config.supportedContainerRuntimes().stream()
                .map(ContainerRuntime::name)
                .toList()
                .indexOf("containerd");
        ContainerRuntime runtime = index < 0
                ? new ContainerRuntime("", List.of(), Map.of())
                : config.supportedContainerRuntimes().get(index);
        String owner = name.field() + ".supportedContainerRuntimes[" + index + "]";
        // A snippet of the configuration overrides the runtime's of the same name.
        Map<String, String> others = new HashMap<>(runtime.templates());
        others.keySet().removeAll(config.templates().keySet());
        addSnippets(name, name.field(), config.templates());
        addSnippets(name, owner, others);
        addFiles(name, name.field(), config.files());
        addFiles(name, owner, runtime.files());
    }

    private void addSnippets(ConfigName config, String owner, Map<String, String> snippets) {
        snippets.forEach(
                (name, text) -> templates.add(new Template(config, owner + ".templates[" + name + "]", null, text)));
    }

    private void addFiles(ConfigName config, String owner, List<File> files) {
        for (int i = 0; i < files.size(); i++) {
            Inline inline = files.get(i).inline();
            String text = inline == null ? "" : inline.data();
            templates.add(new Template(config, owner + ".files[" + i + "]", files.get(i), text));
        }
    }

    OperatingSystemProfile profile() {
        return profile;
    }

    Spec spec() {
        return profile.spec();
    }

    /** All templates: of each configuration its snippets, then its files. */
    List<Template> templates() {
        return templates;
    }

    /** The files of one configuration in the order in which they are rendered. */
    List<Template> files(ConfigName config) {
        return templates.stream()
                .filter(template -> template.config() == config && template.file() != null)
                .toList();
    }

    /** The profile without these templates, and with a utility and contents that allow rendering. */
    Spec without(Set<Template> empty) {
        ObjectNode copy = renderable.deepCopy();
        for (Template template : empty) {
            JsonPointer field = pointer(template.textField());
            copy.withObject(field.head()).put(field.last().getMatchingProperty(), "");
        }
        return read(document, copy).spec();
    }

    /** Whether the profile's text has this field. */
    boolean containsField(String field) {
        return document.find(field) != null;
    }

    /** Position of a field, or of the nearest existing parent. */
    SourcePosition positionOf(String field) {
        return document.positionOf(field);
    }

    /**
     * Position of a line in a text field.
     *
     * @param line in the field's text, from 1; 0 for the whole text
     * @param column from 1; 0 if unknown
     */
    SourcePosition positionIn(String field, int line, int column) {
        if (!(document.find(field) instanceof DocumentNode.Scalar scalar)
                || !scalar.position().isKnown()) {
            return positionOf(field);
        }
        SourcePosition start = scalar.position();
        if (line < 1 || !rest(start).startsWith("|")) {
            return start;
        }
        // The block's indentation is that of its first line with text.
        int indent = lines.stream()
                .skip(start.line())
                .filter(text -> !text.isBlank())
                .findFirst()
                .map(ProfileSource::indent)
                .orElse(0);
        // Errors at the end of the text are reported for the line after the last.
        int count = Math.max(1, (int) scalar.text().lines().count());
        return new SourcePosition(
                start.line() + Math.min(line, count), indent + (line > count ? 1 : Math.max(1, column)));
    }

    static int indent(String line) {
        return line.length() - line.stripLeading().length();
    }

    /** The word at a field's value as it is written in the file; empty if the field has no position. */
    String wordAt(String field) {
        Matcher word =
                WORD.matcher(document.find(field) instanceof DocumentNode.Scalar scalar ? rest(scalar.position()) : "");
        return word.lookingAt() ? word.group() : "";
    }

    /** The line from a position on; empty if it is not in the text. */
    private String rest(SourcePosition start) {
        String line = start.isKnown() && start.line() <= lines.size() ? lines.get(start.line() - 1) : "";
        return line.substring(Math.min(line.length(), Math.max(0, start.column() - 1)));
    }

    /** A line of a template, from 1. */
    record SourceLine(Template template, int number, int indent) {}

    private static Map<String, List<SourceLine>> linesByText(List<Template> templates) {
        Map<String, List<SourceLine>> found = new HashMap<>();
        for (Template template : templates) {
            int number = 0;
            for (String line : template.text().lines().toList()) {
                number++;
                found.computeIfAbsent(line.strip(), key -> new ArrayList<>())
                        .add(new SourceLine(template, number, indent(line)));
            }
        }
        return found;
    }

    /**
     * The line of a file's template, or of a snippet of its configuration, that reads as a rendered line; null if there is none, or are
     * several.
     */
    @Nullable SourceLine lineOf(Template file, String rendered) {
        List<SourceLine> equal = linesByText.getOrDefault(rendered.strip(), List.of()).stream()
                .filter(line -> line.template().config() == file.config())
                .filter(line ->
                        line.template().file() == null || line.template().equals(file))
                .limit(2)
                .toList();
        return rendered.isBlank() || equal.size() != 1 ? null : equal.getFirst();
    }
}
