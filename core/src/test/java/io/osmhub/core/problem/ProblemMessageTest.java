package io.osmhub.core.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProblemMessageTest {
    private static final Pattern VARIABLE = Pattern.compile("\\{([A-Za-z0-9]+)}");

    /** Values before the fix contain the separators, as texts of other programs may. */
    @ParameterizedTest
    @EnumSource
    void theFixOfEveryReasonIsReadBackWhole(Reason reason) {
        String template = reason.template();
        int separator = template.indexOf("; ");
        String fix = separator < 0 ? "" : template.substring(separator + 2);
        Map<String, String> values = new HashMap<>();
        Matcher variable = VARIABLE.matcher(template);
        while (variable.find()) {
            boolean inFix = fix.contains("{" + variable.group(1) + "}");
            values.put(variable.group(1), inFix ? "x" : variable.start() > 8 ? "a; b: c" : "x");
        }
        values.replaceAll((name, value) -> name.equals("tenant") ? "t" : value);

        ProblemMessage message = ProblemMessage.parse(reason.with(values).message());

        String expected =
                VARIABLE.matcher(fix).replaceAll(found -> found.group(1).equals("tenant") ? "t" : "x");
        assertThat(message.fix()).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource
    void everyProblemHasAFix(Reason reason) {
        if (reason.severity() != Severity.INFO || reason == Reason.Paused) {
            assertThat(reason.template()).contains("; ");
        }
    }

    @Test
    void aFindingIsReadBackWithItsPosition() {
        ProblemFinding finding = new ProblemFinding(
                "TemplateSyntaxError",
                "OperatingSystemProfile osm-profiles/osp-ubuntu",
                "spec.bootstrapConfig.files[3] (/opt/a: b; c)",
                12,
                7,
                "unexpected \"; fi\" in action: x",
                "did you mean \"toYaml\"?; raise spec.version");

        ProblemMessage message =
                ProblemMessage.parse(ReasonMessage.of("cluster-x7f", finding).message());

        assertThat(message)
                .isEqualTo(new ProblemMessage(
                        "OperatingSystemProfile",
                        "osm-profiles/osp-ubuntu",
                        "spec.bootstrapConfig.files[3] (/opt/a:b;c) line 12:7",
                        "unexpected \";fi\" in action: x",
                        "did you mean \"toYaml\"?; raise spec.version"));
        assertThat(message.path()).isEqualTo("spec.bootstrapConfig.files[3] (/opt/a:b;c)");
        assertThat(message.line()).isEqualTo(12);
        assertThat(message.column()).isEqualTo(7);
    }

    @Test
    void aLongCauseLeavesTheCommandWhole() {
        String command = "hub cluster rotate shop -n blue --kubeconfig FILE";

        ProblemMessage message = ProblemMessage.parse(ReasonMessage.of(
                        "blue",
                        new ProblemFinding(
                                "WriteRejected", "Secret a", "f".repeat(900), "x".repeat(900), "store: " + command))
                .message());

        assertThat(message.command()).isEqualTo(command);
        assertThat(message.advice()).isEqualTo("store");
    }

    @ParameterizedTest
    @CsvSource({
        "'t: MachineDeployment a/b, field: no OperatingSystemProfile osp-x in t or shared; y', osp-x",
        "'t: MachineDeployment a/b, field: OperatingSystemProfile \"osp-x\" does not support', osp-x",
        "'t: OperatingSystemProfile shared/osp-x, spec line 1: what', shared/osp-x",
        "'t: WorkerCluster a: nothing', ''"
    })
    void theProfileIsTheFirstThatTheMessageNames(String message, String profile) {
        assertThat(ProblemMessage.profile(message)).isEqualTo(profile);
    }

    @ParameterizedTest
    @CsvSource({
        "'', correct spec.files[0] in line 3 and raise spec.version",
        "'did you mean \"toYaml\"?', 'did you mean \"toYaml\"? Correct spec.files[0] in line 3 and raise spec.version'",
        "'close the action', close the action; correct spec.files[0] in line 3 and raise spec.version"
    })
    void theFixOfATemplateIsFollowedByItsPlace(String fix, String steps) {
        ProblemMessage message =
                new ProblemMessage("OperatingSystemProfile", "osp-x", "spec.files[0] line 3:1", "what", fix);

        assertThat(message.withCompleteFix(Reason.TemplateSyntaxError, "t1", "").advice())
                .isEqualTo(steps);
    }

    @Test
    void theLocationOfAMissingObjectIsNotAnObject() {
        assertThat(ProblemMessage.parse("t: worker cluster: no address; set it"))
                .isEqualTo(new ProblemMessage("", "", "", "no address", "set it"));
        assertThat(ProblemMessage.parse("t: worker cluster, Secret a/b: missing"))
                .isEqualTo(new ProblemMessage("Secret", "a/b", "", "missing", ""));
    }

    @Test
    void theCommandForTheLongestNamesIsComplete() {
        String tenant = "t".repeat(63);
        String name = "m".repeat(253);
        String message = ReasonMessage.of(
                        tenant,
                        new ProblemFinding(
                                "ProviderSpecInvalid",
                                "MachineDeployment " + "n".repeat(63) + "/" + name,
                                "spec.template.spec.providerSpec.value.cloudProvider",
                                "is not known ".repeat(50),
                                "write aws"))
                .message();

        ProblemMessage parts =
                ProblemMessage.parse(message).withCompleteFix(Reason.ProviderSpecInvalid, tenant, "shop");

        assertThat(message).hasSizeLessThanOrEqualTo(1024);
        assertThat(parts.command()).isEqualTo("kubectl -n " + "n".repeat(63) + " edit machinedeployment " + name);
    }

    @Test
    void aCommandThatDoesNotFitIsReplacedByTheReason() {
        String command =
                "kubectl -n t annotate secret " + "x".repeat(300) + " osmhub.io/machine-deployment=" + "y".repeat(300);
        String message = ReasonMessage.of(
                        "t", new ProblemFinding("ObjectNotOwned", "Secret a", "", "foreign", "adopt it: " + command))
                .message();

        assertThat(message)
                .endsWith("; adopt it (no command: a name in it is too long or not valid)")
                .doesNotContain("kubectl");
        ProblemMessage parts = ProblemMessage.parse(message).withCompleteFix(Reason.ObjectNotOwned, "t", "");
        assertThat(parts.command()).isEmpty();
        assertThat(parts.fix()).isEqualTo("adopt it (no command: a name in it is too long or not valid)");
    }

    @Test
    void aCommandWithACutNameIsReplacedByTheReason() {
        String message = ReasonMessage.of(
                        "t",
                        new ProblemFinding(
                                "ProfileFileInvalid", "OperatingSystemProfile " + "x".repeat(900), "", "a", "b"))
                .message();

        ProblemMessage parts = ProblemMessage.parse(message).withCompleteFix(Reason.ProfileFileInvalid, "t", "");

        assertThat(parts.command()).isEmpty();
        assertThat(parts.fix()).isEqualTo("b (no command: a name in it is too long or not valid)");
    }

    @Test
    void aCommandThatReplacesABindingIsKept() {
        String command =
                "kubectl delete rolebinding osm-hub-tenant -n t && kubectl create rolebinding osm-hub-tenant -n t";

        String message = ReasonMessage.of(
                        "t", new ProblemFinding("ObjectNotOwned", "a", "", "b", "grant it: " + command))
                .message();

        assertThat(message).endsWith("; grant it: " + command);
        assertThat(ProblemMessage.parse(message).command()).isEqualTo(command);
        assertThat(ProblemMessage.parse(message + " && kubectl delete namespace t")
                        .command())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x;reboot", "$(reboot)", "`reboot`", "x & reboot", "x | sh"})
    void aCommandWithShellCodeInPlaceOfANameIsNotOffered(String name) {
        String fix = "t1: MachineDeployment a/b: no profile; set it: kubectl -n t1 edit machinedeployment ";

        assertThat(ProblemMessage.parse(fix + "x").command()).isEqualTo("kubectl -n t1 edit machinedeployment x");
        assertThat(ProblemMessage.parse(fix + name).command()).isEmpty();
    }
}
