package io.osmhub.core.lint;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.SourcePosition;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.OperatingSystemProfile.Inline;
import java.util.ArrayList;
import java.util.List;

/** A profile with its text, its files and snippets, and the position of each of their lines. */
final class ProfileSourceMap {
    /** The two configurations, by their name in {@code spec}. */
    enum ConfigName {
        bootstrapConfig,
        provisioningConfig;

        String field() {
            return "spec." + name();
        }
    }

    /**
     * One file of the profile.
     *
     * @param field its path, for example {@code spec.bootstrapConfig.files[3]}
     */
    record SourceFile(ConfigName config, String field, OperatingSystemProfile.File file) {
        /** The field with the file's path in parentheses. */
        String label() {
            return field + " (" + file.path() + ")";
        }

        String textField() {
            return field + ".content.inline.data";
        }
    }

    /**
     * One template: a file's or a snippet's text.
     *
     * @param name its name in the template engine
     * @param field of the text
     * @param label the path for messages
     */
    record SourceText(ConfigName config, boolean snippet, String name, String field, String label, String text) {
        /** Line {@code number}, from 1; empty if it does not exist. */
        String line(int number) {
            return text.lines().skip(Math.max(0, number - 1L)).findFirst().orElse("");
        }
    }

    private final SourceDocument document;
    private final OperatingSystemProfile profile;
    private final List<String> lines;
    private final List<SourceText> texts = new ArrayList<>();

    ProfileSourceMap(String text, SourceDocument document, OperatingSystemProfile profile) {
        this.document = document;
        this.profile = profile;
        this.lines = text.lines().toList();
        for (ConfigName name : ConfigName.values()) {
            addSnippets(name);
            for (SourceFile file : files(name)) {
                Inline inline = file.file().inline();
                if (inline != null) {
                    texts.add(new SourceText(
                            name, false, file.file().path(), file.textField(), file.label(), inline.data()));
                }
            }
        }
    }

    /** A snippet of the configuration overrides the runtime's of the same name. */
    private void addSnippets(ConfigName name) {
        OperatingSystemProfile.Config config = config(name);
        config.templates().forEach((snippet, text) -> addSnippet(name, name.field(), snippet, text));
        int runtime = containerd(config);
        if (runtime >= 0) {
            String field = name.field() + ".supportedContainerRuntimes[" + runtime + "]";
            config.supportedContainerRuntimes().get(runtime).templates().forEach((snippet, text) -> {
                if (!config.templates().containsKey(snippet)) {
                    addSnippet(name, field, snippet, text);
                }
            });
        }
    }

    private void addSnippet(ConfigName config, String owner, String name, String text) {
        String field = owner + ".templates[" + name + "]";
        texts.add(new SourceText(config, true, name, field, field, text));
    }

    OperatingSystemProfile profile() {
        return profile;
    }

    OperatingSystemProfile.Config config(ConfigName name) {
        return switch (name) {
            case bootstrapConfig -> profile.spec().bootstrapConfig();
            case provisioningConfig -> profile.spec().provisioningConfig();
        };
    }

    /** The files of one configuration in the order in which they are rendered: its own, then the container runtime's. */
    List<SourceFile> files(ConfigName name) {
        OperatingSystemProfile.Config config = config(name);
        List<SourceFile> files = new ArrayList<>();
        addFiles(name, name.field(), config.files(), files);
        int runtime = containerd(config);
        if (runtime >= 0) {
            addFiles(
                    name,
                    name.field() + ".supportedContainerRuntimes[" + runtime + "]",
                    config.supportedContainerRuntimes().get(runtime).files(),
                    files);
        }
        return files;
    }

    private static void addFiles(
            ConfigName config, String owner, List<OperatingSystemProfile.File> from, List<SourceFile> files) {
        for (int i = 0; i < from.size(); i++) {
            files.add(new SourceFile(config, owner + ".files[" + i + "]", from.get(i)));
        }
    }

    // The only supported runtime; of several entries with its name the first counts.
    private static int containerd(OperatingSystemProfile.Config config) {
        for (int i = 0; i < config.supportedContainerRuntimes().size(); i++) {
            if (config.supportedContainerRuntimes().get(i).name().equals("containerd")) {
                return i;
            }
        }
        return -1;
    }

    /** All templates: of each configuration its snippets, then its files. */
    List<SourceText> texts() {
        return texts;
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
     * @param line in the field's text, from 1
     * @param column from 1; 0 if unknown
     */
    SourcePosition positionIn(String field, int line, int column) {
        if (!(document.find(field) instanceof DocumentNode.Scalar scalar)
                || !scalar.position().isKnown()) {
            return positionOf(field);
        }
        SourcePosition start = scalar.position();
        if (line < 1 || !isLiteralBlock(start)) {
            return start;
        }
        int count = Math.max(1, (int) scalar.text().lines().count());
        int indent = indentOfBlock(start);
        // Errors at the end of the text are reported for the line after the last.
        return new SourcePosition(
                start.line() + Math.min(line, count), indent + (line > count ? 1 : Math.max(1, column)));
    }

    /** The word at a field's value as it is written in the file; empty if the field has no position. */
    String wordAt(String field) {
        if (!(document.find(field) instanceof DocumentNode.Scalar scalar)
                || !scalar.position().isKnown()
                || scalar.position().line() > lines.size()) {
            return "";
        }
        String rest = lines.get(scalar.position().line() - 1);
        rest = rest.substring(
                Math.min(rest.length(), Math.max(0, scalar.position().column() - 1)));
        int end = 0;
        while (end < rest.length() && " \t,}]#".indexOf(rest.charAt(end)) < 0) {
            end++;
        }
        return rest.substring(0, end);
    }

    private boolean isLiteralBlock(SourcePosition start) {
        return start.line() <= lines.size() && lines.get(start.line() - 1).startsWith("|", start.column() - 1);
    }

    /** The block's indentation in the file, from its first non-blank line. */
    private int indentOfBlock(SourcePosition start) {
        for (int i = start.line(); i < lines.size(); i++) {
            String line = lines.get(i);
            if (!line.isBlank()) {
                return line.length() - line.stripLeading().length();
            }
        }
        return 0;
    }
}
