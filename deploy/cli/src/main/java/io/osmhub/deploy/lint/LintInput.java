package io.osmhub.deploy.lint;

import io.osmhub.deploy.config.InputFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The texts to lint, and the inputs that cannot be read.
 *
 * @param refused one sentence each, {@code what; how to fix it}
 */
public record LintInput(List<Text> texts, List<String> refused) {
    /**
     * @param name as in the output
     * @param found whether found in a directory, so that it may be an unrelated file
     */
    public record Text(String name, String text, boolean found) {}

    private static final int MAX_BYTES = 8 << 20;

    public LintInput {
        texts = List.copyOf(texts);
        refused = List.copyOf(refused);
    }

    /**
     * Reads files, directories recursively, and standard input.
     *
     * @param names in the order given; duplicates are read once
     */
    public static LintInput read(List<String> names, InputStream standardInput) {
        Reader reader = new Reader(standardInput);
        names.stream().distinct().forEach(reader::add);
        return new LintInput(reader.texts, reader.refused);
    }

    private static final class Reader {
        private final InputStream standardInput;
        private final List<Text> texts = new ArrayList<>();
        private final List<String> refused = new ArrayList<>();

        Reader(InputStream standardInput) {
            this.standardInput = standardInput;
        }

        void add(String name) {
            Path path = Path.of(name);
            if (name.equals(InputFile.STANDARD_INPUT)) {
                read("<stdin>", name, false);
            } else if (Files.isDirectory(path)) {
                directory(name, path);
            } else {
                read(name, name, false);
            }
        }

        private void directory(String name, Path directory) {
            try (Stream<Path> below = Files.walk(directory)) {
                List<Path> files = below.filter(LintInput::isYaml)
                        .filter(file -> !isHidden(directory.relativize(file)))
                        .filter(Files::isRegularFile)
                        .sorted()
                        .toList();
                if (files.isEmpty()) {
                    refused.add(name + ": no .yaml or .yml file in this directory; use file names");
                }
                files.forEach(file -> read(file.toString(), file.toString(), true));
            } catch (IOException e) {
                refused.add(name + ": cannot be read; check its permissions");
            }
        }

        private void read(String title, String file, boolean found) {
            try {
                texts.add(new Text(title, new InputFile(file, MAX_BYTES).read(standardInput), found));
            } catch (InputFile.UnreadableException e) {
                refused.add(title + ": " + e.reason());
            }
        }
    }

    private static boolean isYaml(Path file) {
        String name = file.toString();
        return name.endsWith(".yaml") || name.endsWith(".yml");
    }

    private static boolean isHidden(Path relative) {
        for (Path part : relative) {
            if (part.toString().startsWith(".")) {
                return true;
            }
        }
        return false;
    }
}
