package io.osmhub.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class GuidePagesTest {
    private static final Path DOCS =
            Path.of(System.getProperty("osmhub.root", "../../..")).resolve("docs");

    @Test
    void everyPageWithCommandsForRealApiServersIsRun() throws IOException {
        List<String> pages = new ArrayList<>();
        try (Stream<Path> files = Files.walk(DOCS)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".md")).toList()) {
                if (Files.readString(file, UTF_8).lines().anyMatch(line -> line.strip()
                        .equals("```sh"))) {
                    pages.add(DOCS.relativize(file).toString().replace(".md", ""));
                }
            }
        }

        assertThat(pages).containsExactlyInAnyOrder(GuidesE2E.PAGES.split(" "));
    }
}
