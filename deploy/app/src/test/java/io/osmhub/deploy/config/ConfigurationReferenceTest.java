package io.osmhub.deploy.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.document.SourcePosition;
import io.osmhub.deploy.render.InputError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ConfigurationReferenceTest {
    @Test
    void theDocumentationHasTheTableOfTheCode() throws IOException {
        Path page = Path.of(System.getProperty("osmhub.root", "../..")).resolve("docs/reference/configuration.md");

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
            assertThat(ConfigurationReference.find(name))
                    .extracting(ConfigurationReference.Entry::path)
                    .contains("log.level");
        }
        assertThat(ConfigurationReference.find("denycidrs")).hasSize(1);
        assertThat(ConfigurationReference.find("api.tls")).hasSize(3);
        assertThat(ConfigurationReference.find("nothing")).isEmpty();
    }

    @Test
    void theReportCountsNamesAndSaysWhereToReadOn() {
        InputError one = new InputError(
                "hub.yaml", new SourcePosition(31, 17), "replicas.renewInterval", "9s is too long", "use less");
        InputError other =
                new InputError("--log-level", SourcePosition.NONE, "loud", "not one of error, warn, info, debug", "");

        assertThat(ConfigurationReport.lines("hub", "in the configuration", "nothing was started", List.of(one, other)))
                .containsExactly(
                        "hub: 2 errors in the configuration, nothing was started",
                        "  hub.yaml:31:17  replicas.renewInterval  9s is too long; use less",
                        "  --log-level     loud                    not one of error, warn, info, debug",
                        "For help: hub explain config replicas.renewInterval");
        assertThat(ConfigurationReport.lines("hub", "in the configuration", "", List.of(other)))
                .startsWith("hub: 1 error in the configuration")
                .hasSize(2);
    }
}
