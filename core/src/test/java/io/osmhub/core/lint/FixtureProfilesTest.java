package io.osmhub.core.lint;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.corpus.OsmFixtures;
import io.osmhub.core.lint.LintFinding.LintRule;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.lint.Linter.ProfileLintReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The profiles of the pipeline fixtures: those that are right have no finding, the others have the one that says why they are not. */
final class FixtureProfilesTest {
    /** Profiles that are wrong by design, by the rule that says so. All others are right. */
    private static final Map<String, Set<LintRule>> WRONG = Map.ofEntries(
            // Units for Ubuntu, which the admission webhook refuses; two of them are enabled without [Install].
            entry("osps/custom-cloud-init-units.yaml", EnumSet.of(LintRule.UNITS_NOT_SUPPORTED, LintRule.UNIT_INSTALL)),
            // Files named not-octal, negative and upper: modes 999 and -44, encoding B64.
            entry(
                    "osps/custom-encodings-permissions.yaml",
                    EnumSet.of(LintRule.FILE_PERMISSIONS, LintRule.FILE_ENCODING)),
            // kubelet.conf prints the ages of images as Go structs, which is not valid YAML.
            entry("osps/osp-flatcar.yaml", EnumSet.of(LintRule.FILE_CONTENT)),
            entry("osps/osp-rhel.yaml", EnumSet.of(LintRule.FILE_CONTENT)),
            entry("osps/osp-ubuntu.yaml", EnumSet.of(LintRule.FILE_CONTENT)),
            entry("osps/custom-error-missing-field.yaml", EnumSet.of(LintRule.TEMPLATE_EXECUTION)),
            // A command with a colon and no quotes, which cloud-init reads as a mapping.
            entry("osps/custom-modules-all.yaml", EnumSet.of(LintRule.USER_DATA)),
            // A file named .toml that holds YAML.
            entry("osps/custom-runtimes.yaml", EnumSet.of(LintRule.FILE_CONTENT)),
            entry("osps/custom-formats.yaml", EnumSet.of(LintRule.FUNCTION_REFUSED)),
            entry("osps/custom-sprig-strings.yaml", EnumSet.of(LintRule.FUNCTION_REFUSED)),
            entry("env-functions/osp.yaml", EnumSet.of(LintRule.FUNCTION_REFUSED)),
            entry("err-file-without-inline/osp.yaml", EnumSet.of(LintRule.MISSING_CONTENT)),
            entry("err-ignition-mode/osp.yaml", EnumSet.of(LintRule.FILE_PERMISSIONS)),
            entry("err-ignition-mode-four-digits/osp.yaml", EnumSet.of(LintRule.FILE_PERMISSIONS)),
            entry("err-ignition-relative-path/osp.yaml", EnumSet.of(LintRule.FILE_PATH)),
            entry("err-named-template-parse/osp.yaml", EnumSet.of(LintRule.TEMPLATE_SYNTAX)),
            entry("err-template-fail/osp.yaml", EnumSet.of(LintRule.TEMPLATE_EXECUTION)),
            entry("err-template-nil-pointer/osp.yaml", EnumSet.of(LintRule.TEMPLATE_EXECUTION)),
            entry("err-template-parse/osp.yaml", EnumSet.of(LintRule.TEMPLATE_SYNTAX)),
            entry("err-template-title-named-type/osp.yaml", EnumSet.of(LintRule.TEMPLATE_EXECUTION)),
            entry("err-template-undefined/osp.yaml", EnumSet.of(LintRule.TEMPLATE_EXECUTION)),
            entry("err-unknown-os/osp.yaml", EnumSet.of(LintRule.OPERATING_SYSTEM)),
            entry("err-utility-ignition-on-ubuntu/osp.yaml", EnumSet.of(LintRule.PROVISIONING_UTILITY)),
            entry("ignition-duplicate-file/osp.yaml", EnumSet.of(LintRule.DUPLICATE_PATH)),
            entry("ignition-mode-decimal/osp.yaml", EnumSet.of(LintRule.FILE_PERMISSIONS)),
            entry("ignition-unit-content-any-text/osp.yaml", EnumSet.of(LintRule.UNIT_SYNTAX)));

    private static List<Path> profiles() {
        Path fixtures = OsmFixtures.shared();
        try (Stream<Path> files = Files.walk(fixtures, 2)) {
            return files.filter(file -> file.endsWith("osp.yaml")
                            || file.startsWith(fixtures.resolve("osps"))
                                    && file.toString().endsWith(".yaml"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void onlyProfilesThatAreWrongHaveFindings() throws IOException {
        List<Path> profiles = profiles();
        Linter linter = new Linter(Bash.orSkip(), System::nanoTime);

        Map<String, Set<LintRule>> found = new TreeMap<>();
        Set<String> details = new TreeSet<>();
        for (Path profile : profiles) {
            String name = OsmFixtures.shared().relativize(profile).toString();
            for (ProfileLintReport report : linter.lint(name, Files.readString(profile))) {
                for (LintFinding finding : report.findings()) {
                    // Profiles about templates only fetch nothing.
                    boolean partial = finding.rule() == LintRule.NEVER_FETCHED && name.startsWith("osps/custom-");
                    if (finding.severity() != LintSeverity.INFO && !partial) {
                        found.computeIfAbsent(name, key -> EnumSet.noneOf(LintRule.class))
                                .add(finding.rule());
                        details.add(name + ": " + finding.message());
                    }
                }
            }
        }

        assertThat(profiles).hasSizeGreaterThanOrEqualTo(44);
        assertThat(found).as(String.join("\n", details)).containsExactlyInAnyOrderEntriesOf(WRONG);
    }
}
