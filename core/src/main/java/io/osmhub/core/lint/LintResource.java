package io.osmhub.core.lint;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/** The tables of this package. */
final class LintResource {
    private LintResource() {}

    static String text(String name) {
        try (InputStream resource = LintResource.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(resource).readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The cells of each row that is not a comment. */
    static List<String[]> rows(String name) {
        return text(name)
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("\t", -1))
                .toList();
    }
}
