package io.osmhub.deploy.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The examples of the documentation. */
final class DocumentationExamples {
    private DocumentationExamples() {}

    static String text(String name) {
        try {
            return Files.readString(path(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path path(String name) {
        return Path.of(System.getProperty("osmhub.root", "../.."), "docs", "examples", name);
    }
}
