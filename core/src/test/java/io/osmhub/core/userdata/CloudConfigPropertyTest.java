package io.osmhub.core.userdata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.osmhub.core.osc.CloudInitModules;
import io.osmhub.core.osc.OperatingSystemConfig.Config;
import io.osmhub.core.osc.OperatingSystemConfig.File;
import io.osmhub.core.osc.SystemdUnit;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.userdata.UserDataGenerator.UserDataInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Documents of random configs, full of what YAML trips over, hold what they are made of. */
class CloudConfigPropertyTest {
    private static final String[] PIECES = {
        "a", "b c", " ", "  ", "\n", "\n", "\n\n", "\t", "\r\n", "\r", "\u2028", "\u0085", "#", " # x", ": ", "- ",
        "k: v", "'", "\"", "[x]", "{", "\u0007", "\u007F", "\u009F", "é", "😀", "---\n", "...", "%", "\uFEFF", "\u00A0",
        "\\", "null", "true", "12", "&", "*", "!", "@", "|", ">"
    };

    private final Random random = new Random(20251121);

    private String text(int pieces) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(pieces); i > 0; i--) {
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return text.toString();
    }

    private <T> List<T> some(java.util.function.Supplier<T> one) {
        List<T> some = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            some.add(one.get());
        }
        return some;
    }

    private File file() {
        String[] encodings = {"", "", "b64", "text/plain", "it's"};
        return new File("/" + text(4), random.nextInt(1000), text(9), encodings[random.nextInt(encodings.length)]);
    }

    private SystemdUnit unit() {
        return new SystemdUnit(
                text(4) + ".service",
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean() ? text(8) : null,
                some(() -> new SystemdUnit.DropIn(text(3) + ".conf", text(8))));
    }

    private UserDataInput input(String utility, String osName) {
        CloudInitModules modules = new CloudInitModules(
                List.of(),
                Map.of("x", text(4)),
                some(() -> "run " + text(1)),
                Map.of("y", Map.of("z", text(4))),
                text(4));
        Config config = new Config(some(this::unit), some(this::file), some(() -> text(5)), modules);
        String provider = random.nextBoolean() ? "aws" : "gce";
        return new UserDataInput(
                config, utility, osName, provider, "workers", random.nextBoolean(), random.nextBoolean());
    }

    @Test
    void everyCloudInitDocumentIsYamlThatHoldsItsConfig() {
        for (int i = 0; i < 2000; i++) {
            UserDataInput input = input("cloud-init", "ubuntu");

            String document = UserDataGenerator.generateDocument(input);

            assertThatCode(() -> CloudConfigReader.assertHolds(document, input))
                    .as(document)
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void everyIgnitionDocumentIsMadeOrRefusedInOrder() {
        for (int i = 0; i < 2000; i++) {
            UserDataInput input = input("ignition", "flatcar");
            try {
                assertThat(UserDataGenerator.generateDocument(input))
                        .startsWith("{\"ignition\":")
                        .endsWith("}}");
            } catch (TenantMistake refused) {
                assertThat(refused.findings())
                        .allSatisfy(finding -> assertThat(finding.fix()).isNotEmpty());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.osmhub.core.userdata.UserDataCorpusTest#cloudInitCases")
    void everyCaseOfTheCorpusIsYamlThatHoldsItsConfig(String name) {
        for (boolean bootstrap : new boolean[] {true, false}) {
            UserDataInput input = OscFixture.named(name).input(bootstrap);

            CloudConfigReader.assertHolds(UserDataGenerator.generateDocument(input), input);
        }
    }
}
