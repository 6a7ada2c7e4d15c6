package io.osmhub.deploy.profiles;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.lint.LintFinding;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.lint.Linter;
import io.osmhub.core.lint.Linter.ProfileLintReport;
import io.osmhub.core.lint.ScriptChecker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/how-to/use-profiles.md: what it tells people to add to a profile works, and its table is what is shipped. */
class ProfilesPageTest {
    private static final Path ROOT = Path.of(System.getProperty("osmhub.root", "../../.."));
    private static final Path MANIFESTS = ROOT.resolve("deploy/packaging/manifests/profiles");
    private static final Pattern ADDITION =
            Pattern.compile("<!-- add to provisioningConfig.files -->\n```yaml\n(.*?)```", Pattern.DOTALL);

    @Test
    void aProfileWithAllThatThePageAddsRendersEverywhereWithoutAFinding() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/how-to/use-profiles.md"));
        String profile = Files.readString(MANIFESTS.resolve("osp-ubuntu.yaml")).replace("osp-ubuntu", "osp-ubuntu-own");
        List<String> additions = new ArrayList<>();
        Matcher blocks = ADDITION.matcher(page);
        while (blocks.find()) {
            additions.add(blocks.group(1).indent(4));
        }

        List<ProfileLintReport> reports = new Linter(ProfilesPageTest::bash, System::nanoTime)
                .lint("osp-own.yaml", profile + String.join("", additions));

        assertThat(additions).hasSizeGreaterThan(4);
        assertThat(reports).hasSize(1);
        assertThat(reports.getFirst().findings().stream()
                        .filter(finding -> finding.severity() != LintSeverity.INFO)
                        .map(LintFinding::toString))
                .isEmpty();
        assertThat(profile + String.join("", additions))
                .contains("/opt/osm/steps/40-driver", "    - path: /opt/osm/steps/11-dns");
    }

    @Test
    void tableHasEachShippedProfileWithItsProviders() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/how-to/use-profiles.md"));

        for (ProfileAssembler.Assembled assembled :
                new ProfileAssembler(ROOT.resolve("deploy/packaging/profiles/src/main/profiles")).profiles()) {
            List<String> providers = ManifestsTest.read(assembled).spec().supportedCloudProviders();
            assertThat(page.lines().filter(line -> line.startsWith("| `" + assembled.name() + "` |")))
                    .as(assembled.name())
                    .singleElement()
                    .satisfies(row -> assertThat(row)
                            .contains(String.join(
                                    ", ", providers.stream().sorted().toList())));
        }
    }

    private static String bash(ScriptChecker.Dialect dialect, String script) {
        Path file = null;
        try {
            file = Files.createTempFile("script", ".sh");
            Files.writeString(file, script);
            ProcessBuilder builder = new ProcessBuilder("bash", "-n", file.toString());
            builder.environment().put("LC_ALL", "C");
            Process process = builder.redirectErrorStream(true).start();
            return new String(process.getInputStream().readAllBytes(), UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            if (file != null) {
                file.toFile().delete();
            }
        }
    }
}
