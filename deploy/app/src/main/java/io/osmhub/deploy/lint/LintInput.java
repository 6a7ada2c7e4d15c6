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
 * The texts to check, and what cannot be read of those that were asked for.
 *
 * @param refused one sentence for each, {@code what; how to mend it}
 */
public record LintInput(List<Text> texts, List<String> refused) {
    /**
     * One text.
     *
     * @param name as in the output
     * @param found whether it was found in a directory, and so may well be no profile
     */
    public record Text(String name, String text, boolean found) {}

    /** The name that stands for standard input. */
    public static final String STANDARD_INPUT = "-";

    private static final int MAX_BYTES = 8 << 20;

    public LintInput {
        texts = List.copyOf(texts);
        refused = List.copyOf(refused);
    }

    /**
     * Reads files, directories with all that is below them, and standard input.
     *
     * @param names in the order given; what is named twice is read once
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
                refused.add(name + ": no such file; check the path");
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
                    refused.add(name + ": no .yaml or .yml file below this directory; name the files");
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
                refused.add(name + ": larger than 8 MiB; a profile is much smaller");
                return;
            }
            try {
                String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
                texts.add(new Text(name, text.startsWith("\uFEFF") ? text.substring(1) : text, found));
            } catch (CharacterCodingException e) {
                refused.add(name + ": is not text in UTF-8; convert it");
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
