package io.osmhub.deploy.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.document.Position;
import io.osmhub.deploy.render.Mistake;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ConfigurationReferenceTest {
    @Test
    void theDocumentationHasTheTableOfTheCode() throws IOException {
        Path page = Path.of(System.getProperty("osmhub.root", "../..")).resolve("docs/configuration.md");

        assertThat(Files.readString(page)).contains(ConfigurationReference.markdown());
    }

    @Test
    void everyKeySaysWhatItIsFor() {
        assertThat(ConfigurationReference.all()).allSatisfy(entry -> {
            assertThat(entry.description()).endsWith(".").doesNotContain("  ");
            assertThat(entry.builtIn()).isNotEmpty();
        });
    }

    @Test
    void findsAKeyByItsPathItsLastNameItsVariableOrItsOption() {
        for (String name : List.of("log.level", "OSM_HUB_LOG_LEVEL", "--log-level", "log-level")) {
            assertThat(ConfigurationReference.named(name))
                    .extracting(ConfigurationReference.Entry::path)
                    .contains("log.level");
        }
        assertThat(ConfigurationReference.named("denycidrs")).hasSize(1);
        assertThat(ConfigurationReference.named("api.tls")).hasSize(3);
        assertThat(ConfigurationReference.named("nothing")).isEmpty();
    }

    @Test
    void theReportCountsNamesAndSaysWhereToReadOn() {
        Mistake one =
                new Mistake("hub.yaml", new Position(31, 17), "replicas.renewInterval", "9s is too long", "use less");
        Mistake other = new Mistake("--log-level", Position.NONE, "loud", "not one of error, warn, info, debug", "");

        assertThat(ConfigurationReport.lines("hub", "in the configuration", "nothing was started", List.of(one, other)))
                .containsExactly(
                        "hub: 2 mistakes in the configuration, nothing was started",
                        "  hub.yaml:31:17  replicas.renewInterval  9s is too long; use less",
                        "  --log-level     loud                    not one of error, warn, info, debug",
                        "Explained by: hub explain config replicas.renewInterval");
        assertThat(ConfigurationReport.lines("hub", "in the configuration", "", List.of(other)))
                .startsWith("hub: 1 mistake in the configuration")
                .hasSize(2);
    }
}
