package io.osmhub.deploy.lint;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
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

    /** File name of standard input. */
    public static final String STANDARD_INPUT = "-";

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
            try {
                if (name.equals(STANDARD_INPUT)) {
                    add("<stdin>", standardInput.readNBytes(MAX_BYTES + 1), false);
                } else if (Files.isDirectory(path)) {
                    directory(name, path);
                } else {
                    file(name, path, false);
                }
            } catch (NoSuchFileException e) {
                refused.add(name + ": file not found; check the path");
            } catch (IOException e) {
                refused.add(name + ": cannot be read; check its permissions");
            }
        }

        private void directory(String name, Path directory) throws IOException {
            try (Stream<Path> below = Files.walk(directory)) {
                List<Path> files = below.filter(LintInput::isYaml)
                        .filter(file -> !isHidden(directory.relativize(file)))
                        .filter(Files::isRegularFile)
                        .sorted()
                        .toList();
                if (files.isEmpty()) {
                    refused.add(name + ": no .yaml or .yml file in this directory; use file names");
                }
                for (Path file : files) {
                    file(file.toString(), file, true);
                }
            }
        }

        private void file(String name, Path file, boolean found) throws IOException {
            try (InputStream content = Files.newInputStream(file)) {
                add(name, content.readNBytes(MAX_BYTES + 1), found);
            }
        }

        private void add(String name, byte[] bytes, boolean found) {
            if (bytes.length > MAX_BYTES) {
                refused.add(name + ": larger than 8 MiB, too large for a profile");
                return;
            }
            try {
                String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
                texts.add(new Text(name, text.startsWith("\uFEFF") ? text.substring(1) : text, found));
            } catch (CharacterCodingException e) {
                refused.add(name + ": not valid UTF-8; convert it");
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
