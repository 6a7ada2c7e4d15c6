package io.osmhub.deploy.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.api.schema.TestReport;
import io.osmhub.api.schema.TestReport.Check;
import io.osmhub.api.schema.TestReport.Check.CheckName;
import io.osmhub.api.schema.TestReport.Check.Outcome;
import io.osmhub.api.schema.TestReport.Permission;
import io.osmhub.core.problem.Reason;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RegistrationFormatterTest {
    @Test
    void saysWhatIsMissingAndHowToMendIt() {
        TestReport report = new TestReport(
                false,
                null,
                null,
                null,
                null,
                null,
                null,
                List.of(
                        new Check(CheckName.VERSION, Outcome.OK, null, "v1.34.2", null, null),
                        new Check(
                                CheckName.PERMISSIONS,
                                Outcome.FAILED,
                                Reason.PermissionsMissing,
                                "1 of 2; missing: patch secrets",
                                "apply the worker role: hub cluster rbac pay -n cluster-9tzl4w | kubectl apply -f -",
                                null)),
                List.of(
                        new Permission("get", "", "secrets", "cloud-init-settings", null, true, null),
                        new Permission("patch", "", "secrets", "cloud-init-settings", null, false, null)));

        assertThat(RegistrationFormatter.formatTest(report))
                .containsExactly(
                        "  ok      version        v1.34.2",
                        "  FAILED  permissions    1 of 2; missing:",
                        "                           patch secrets in cloud-init-settings",
                        "                         apply the worker role:",
                        "                           hub cluster rbac pay -n cluster-9tzl4w | kubectl apply -f -");
        assertThat(RegistrationFormatter.summarizeTest(report)).isEqualTo("1 of 2 checks failed");
    }

    @Test
    void warningsAreCountedApartFromPassedChecks() {
        assertThat(summary(Outcome.OK, Outcome.OK, Outcome.WARNING)).isEqualTo("2 checks passed, 1 warning");
        assertThat(summary(Outcome.OK, Outcome.WARNING, Outcome.WARNING, Outcome.SKIPPED))
                .isEqualTo("1 check passed, 2 warnings, 1 skipped");
        assertThat(summary(Outcome.OK, Outcome.FAILED, Outcome.WARNING)).isEqualTo("1 of 3 checks failed, 1 warning");
        assertThat(summary(Outcome.OK, Outcome.OK)).isEqualTo("2 checks passed");
    }

    private static String summary(Outcome... outcomes) {
        List<Check> checks = Arrays.stream(outcomes)
                .map(outcome -> new Check(CheckName.VERSION, outcome, null, "", null, null))
                .toList();
        return RegistrationFormatter.summarizeTest(
                new TestReport(true, null, null, null, null, null, null, checks, null));
    }
}
