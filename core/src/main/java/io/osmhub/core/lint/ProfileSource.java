package io.osmhub.core.lint;

import io.osmhub.core.document.Document;
import io.osmhub.core.document.Node;
import io.osmhub.core.document.Position;
import io.osmhub.core.osp.OperatingSystemProfile;
import java.util.ArrayList;
import java.util.List;

/** A profile with its text: knows all its files and snippets, and where each of their lines stands. */
final class ProfileSource {
    /** The two configurations, by their name in {@code spec}. */
    enum ConfigName {
        bootstrapConfig,
        provisioningConfig
    }

    /**
     * One file of the profile.
     *
     * @param field its path, for example {@code spec.bootstrapConfig.files[3]}
     */
    record SourceFile(ConfigName config, String field, OperatingSystemProfile.File file) {
        /** The path with the file's own in parentheses. */
        String label() {
            return field + " (" + file.path() + ")";
        }
    }

    /** One snippet; {@code field} is its path. */
    record SourceSnippet(ConfigName config, String field, String name, String text) {}

    private final Document document;
    private final OperatingSystemProfile profile;
    private final List<String> lines;

    ProfileSource(String text, Document document, OperatingSystemProfile profile) {
        this.document = document;
        this.profile = profile;
        this.lines = text.lines().toList();
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
        String base = "spec." + name;
        OperatingSystemProfile.Config config = config(name);
        List<SourceFile> files = new ArrayList<>();
        for (int i = 0; i < config.files().size(); i++) {
            files.add(new SourceFile(
                    name, base + ".files[" + i + "]", config.files().get(i)));
        }
        int runtime = containerd(config);
        if (runtime >= 0) {
            String runtimeBase = base + ".supportedContainerRuntimes[" + runtime + "].files[";
            List<OperatingSystemProfile.File> runtimeFiles =
                    config.supportedContainerRuntimes().get(runtime).files();
            for (int i = 0; i < runtimeFiles.size(); i++) {
                files.add(new SourceFile(name, runtimeBase + i + "]", runtimeFiles.get(i)));
            }
        }
        return files;
    }

    /** The snippets of one configuration; one of the configuration hides the runtime's of the same name. */
    List<SourceSnippet> snippets(ConfigName name) {
        String base = "spec." + name;
        OperatingSystemProfile.Config config = config(name);
        List<SourceSnippet> snippets = new ArrayList<>();
        config.templates()
                .forEach((snippet, text) ->
                        snippets.add(new SourceSnippet(name, base + ".templates[" + snippet + "]", snippet, text)));
        int runtime = containerd(config);
        if (runtime >= 0) {
            String runtimeBase = base + ".supportedContainerRuntimes[" + runtime + "].templates[";
            config.supportedContainerRuntimes().get(runtime).templates().forEach((snippet, text) -> {
                if (!config.templates().containsKey(snippet)) {
                    snippets.add(new SourceSnippet(name, runtimeBase + snippet + "]", snippet, text));
                }
            });
        }
        return snippets;
    }

    // The only runtime that is served; of several entries of its name the first counts.
    private static int containerd(OperatingSystemProfile.Config config) {
        for (int i = 0; i < config.supportedContainerRuntimes().size(); i++) {
            if (config.supportedContainerRuntimes().get(i).name().equals("containerd")) {
                return i;
            }
        }
        return -1;
    }

    /** Where a field stands; the nearest part around it that is there. */
    Position at(String field) {
        return document.positionOf(field);
    }

    /**
     * Where a line of a text field stands.
     *
     * @param line in the field's text, from 1
     * @param column from 1; 0 when unknown
     */
    Position inText(String field, int line, int column) {
        Node node = document.find(field);
        if (!(node instanceof Node.Scalar scalar) || !scalar.position().known()) {
            return at(field);
        }
        Position start = scalar.position();
        if (line < 1 || !isLiteralBlock(start)) {
            return start;
        }
        int row = start.line() + line;
        return new Position(row, column < 1 ? indentOfBlock(start) + 1 : indentOfBlock(start) + column);
    }

    private boolean isLiteralBlock(Position start) {
        return start.line() <= lines.size() && lines.get(start.line() - 1).startsWith("|", start.column() - 1);
    }

    /** How far the block is indented in the file, taken from its first line that is not blank. */
    private int indentOfBlock(Position start) {
        for (int i = start.line(); i < lines.size(); i++) {
            String line = lines.get(i);
            if (!line.isBlank()) {
                return line.length() - line.stripLeading().length();
            }
        }
        return 0;
    }

    /** The line, in a field's text, that holds this text; 0 when none or more than one does. */
    static int lineHolding(String fieldText, String wanted) {
        if (wanted.isBlank()) {
            return 0;
        }
        int found = 0;
        int number = 0;
        for (String line : fieldText.lines().toList()) {
            number++;
            if (line.strip().equals(wanted.strip())) {
                if (found > 0) {
                    return 0;
                }
                found = number;
            }
        }
        return found;
    }
}
