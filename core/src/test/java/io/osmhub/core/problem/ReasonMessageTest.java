package io.osmhub.core.problem;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ReasonMessageTest {
    @ParameterizedTest
    @EnumSource(Reason.class)
    void aReasonOfTheListIsItself(Reason reason) {
        assertThat(ReasonMessage.reasonOf(new ProblemFinding(reason.wireName(), "", "", "x", "")))
                .isEqualTo(reason);
    }

    @ParameterizedTest
    @CsvSource({
        "ProfileInvalid, ProfileFileInvalid",
        "MachineDeploymentInvalid, ProviderSpecInvalid",
        "OperatingSystemConfigInvalid, ObjectNotOwned",
        "ObjectInvalid, SettingsInvalid",
        "NeverHeardOf, InternalError"
    })
    void aWordForFilesIsNotShown(String word, Reason shown) {
        assertThat(ReasonMessage.reasonOf(new ProblemFinding(word, "", "", "x", "")))
                .isEqualTo(shown);
    }

    @Test
    void aMessageSaysTenantObjectFieldAndCure() {
        ProblemFinding finding = new ProblemFinding(
                "TemplateSyntaxError",
                "OperatingSystemProfile osm-profiles/osp-ubuntu",
                "spec.bootstrapConfig.files[3] (/opt/bin/setup)",
                12,
                7,
                "unknown template function \"toYamll\"",
                "did you mean \"toYaml\"?");

        assertThat(ReasonMessage.of("cluster-x7f", finding).message())
                .isEqualTo("cluster-x7f: OperatingSystemProfile osm-profiles/osp-ubuntu, "
                        + "spec.bootstrapConfig.files[3] (/opt/bin/setup) line 12:7: unknown template function "
                        + "\"toYamll\"; did you mean \"toYaml\"?");
    }

    @Test
    void aMessageIsOneLineWithoutMarksAndNotTooLong() {
        ProblemFinding finding = new ProblemFinding(
                "TemplateExecutionFailed", "Object\u202e", "field", "a\nb" + "x".repeat(5_000), "y".repeat(5_000));

        assertThat(ReasonMessage.of("t", finding).message())
                .startsWith("t: Object\\u202e, field: a b")
                .hasSizeLessThanOrEqualTo(1_024)
                .doesNotContain("\n", "\u202e");
    }
}
