package io.osmhub.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class PackageMapTest {
    private static final Path ROOT = Path.of(System.getProperty("osmhub.root", "../../.."));

    @Test
    void theArchitectureDocumentHasTheTableOfToday() throws IOException {
        String document = Files.readString(ROOT.resolve("docs/architecture.md"));

        String table = PackageMap.markdown(ROOT);

        assertThat(document)
                .as("docs/architecture.md holds what ./hub map prints")
                .contains(table);
    }
}
