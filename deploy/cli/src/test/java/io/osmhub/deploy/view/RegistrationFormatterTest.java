package io.osmhub.deploy.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.api.schema.TestReport;
import io.osmhub.api.schema.TestReport.Check;
import io.osmhub.api.schema.TestReport.Check.CheckName;
import io.osmhub.api.schema.TestReport.Check.Outcome;
import io.osmhub.api.schema.TestReport.Permission;
import io.osmhub.core.problem.Reason;
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
}
