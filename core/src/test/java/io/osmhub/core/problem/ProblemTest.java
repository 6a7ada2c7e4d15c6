package io.osmhub.core.problem;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.status.Chain;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProblemTest {
    private static final Pattern VARIABLE = Pattern.compile("\\{([A-Za-z0-9]+)}");

    /** A value for each variable of each reason. */
    private static Map<String, String> values(Reason reason) {
        Map<String, String> values = new HashMap<>();
        Matcher variable = VARIABLE.matcher(reason.description().template());
        while (variable.find()) {
            values.put(variable.group(1), variable.group(1));
        }
        values.putAll(Map.of("tenant", "t", "wc", "shop", "line", "3", "column", "4", "md", "n/workers"));
        values.put("osp", "shared/osp-x");
        return values;
    }

    @ParameterizedTest
    @EnumSource
    void everyProblemHasAFix(Reason reason) {
        if (reason.severity() != Severity.INFO) {
            assertThat(reason.with(values(reason)).fix()).isNotEmpty();
        }
    }

    @Test
    void noWordOfTheCatalogueDecidesAnything() throws IOException {
        Map<String, ReasonDescription> nonsense = ReasonDescription.read(catalogue()
                .lines()
                .map(line -> line.startsWith("  cause: ") || line.startsWith("  fix: ") ? nonsense(line) : line)
                .collect(Collectors.joining("\n")));
        List<Problem> problems = new ArrayList<>();
        List<Problem> others = new ArrayList<>();

        for (Reason reason : Reason.values()) {
            Problem problem = reason.with(values(reason));
            Problem other =
                    Objects.requireNonNull(nonsense.get(reason.wireName())).fill(reason, values(reason));
            assertThat(List.of(other.object(), other.field(), other.position(), other.command(), other.actor()))
                    .isEqualTo(List.of(
                            problem.object(), problem.field(), problem.position(), problem.command(), problem.actor()));
            assertThat(other.link()).isEqualTo(problem.link());
            if (reason.severity() != Severity.INFO) {
                assertThat(other.message()).isNotEqualTo(problem.message());
            }
            problems.add(problem);
            others.add(other);
        }

        assertThat(Chain.cause(others).orElseThrow().reason())
                .isEqualTo(Chain.cause(problems).orElseThrow().reason());
    }

    private static String catalogue() throws IOException {
        try (InputStream file = ReasonDescription.class.getResourceAsStream("reasons.txt")) {
            return new String(file.readAllBytes(), UTF_8);
        }
    }

    /** Each word outside of variables is another one, and so is the punctuation. */
    private static String nonsense(String line) {
        int colon = line.indexOf(": ") + 2;
        Matcher part = Pattern.compile("\\{[A-Za-z0-9]+}|[^{]+").matcher(line.substring(colon));
        StringBuilder text = new StringBuilder(line.substring(0, colon));
        while (part.find()) {
            text.append(part.group().startsWith("{") ? part.group() : " borogove; mimsy: hub kubectl, ");
        }
        return text.append(" borogove").toString();
    }

    @Test
    void aMessageSaysTenantObjectFieldCauseFixAndCommand() {
        Problem problem = new Problem(
                        Reason.ProviderSpecInvalid,
                        ProblemObject.of("MachineDeployment", "kube-system/workers"),
                        "spec.template.spec.providerSpec.value.cloudProvider",
                        new SourcePosition(12, 7),
                        "unknown provider",
                        "write aws")
                .inTenant("cluster-x7f", "shop");

        assertThat(problem.message())
                .isEqualTo("cluster-x7f: MachineDeployment kube-system/workers, "
                        + "spec.template.spec.providerSpec.value.cloudProvider line 12:7: unknown provider; write aws: "
                        + "in worker cluster shop: kubectl -n kube-system edit machinedeployment workers");
        assertThat(problem.command().cluster()).isEqualTo(ProblemObject.Cluster.WORKER);
    }

    @ParameterizedTest
    @CsvSource({
        "'', correct spec.files[0] and raise spec.version",
        "'did you mean \"toYaml\"?', 'did you mean \"toYaml\"?'"
    })
    void aTemplateWithoutAFixIsToBeCorrected(String fix, String steps) {
        Problem problem = new Problem(
                        Reason.TemplateSyntaxError,
                        ProblemObject.of("OperatingSystemProfile", "osp-x"),
                        "spec.files[0]",
                        new SourcePosition(3, 1),
                        "what",
                        fix)
                .inTenant("t1", "");

        assertThat(problem.fix()).isEqualTo(steps);
        assertThat(problem.command().text()).isEqualTo("kubectl -n t1 edit operatingsystemprofile osp-x");
    }

    @Test
    void anExtensionHasNoVersionToRaise() {
        Problem problem = new Problem(
                        Reason.TemplateSyntaxError,
                        ProblemObject.of("OperatingSystemProfileExtension", "t1/x"),
                        "spec.provisioning.files[0]",
                        "what",
                        "")
                .inTenant("t1", "");

        assertThat(problem.fix()).isEqualTo("correct spec.provisioning.files[0]");
    }

    @Test
    void aSharedExtensionIsTheOperators() {
        for (String namespace : List.of("t1", "osm-profiles")) {
            Problem problem = new Problem(
                            Reason.ExtensionNotApplicable,
                            ProblemObject.of("OperatingSystemProfileExtension", namespace + "/x"),
                            "spec.provisioning.files[0]",
                            "what",
                            "")
                    .inTenant("t1", "");

            assertThat(problem.actor()).isEqualTo(namespace.equals("t1") ? Actor.TENANT : Actor.OPERATOR);
        }
    }

    @Test
    void aSharedProfileIsTheOperators() {
        assertThat(broken("t1/osp-x").actor()).isEqualTo(Actor.TENANT);
        assertThat(broken("osp-x").actor()).isEqualTo(Actor.TENANT);
        assertThat(broken("osm-profiles/osp-x").actor()).isEqualTo(Actor.OPERATOR);
        assertThat(broken("osm-profiles/osp-x").command().text())
                .isEqualTo("kubectl -n osm-profiles edit operatingsystemprofile osp-x");
    }

    private static Problem broken(String profile) {
        return new Problem(
                        Reason.TemplateSyntaxError,
                        ProblemObject.of("OperatingSystemProfile", profile),
                        "spec.files[0]",
                        "what",
                        "")
                .inTenant("t1", "shop");
    }

    @Test
    void theCommandForTheLongestNamesIsWholeAndTheMessageIsNotTooLong() {
        String name = "m".repeat(253);
        Problem problem = new Problem(
                        Reason.ProviderSpecInvalid,
                        ProblemObject.of("MachineDeployment", "n".repeat(63) + "/" + name),
                        "spec.template.spec.providerSpec.value.cloudProvider",
                        "is not known ".repeat(50),
                        "x".repeat(900))
                .inTenant("t".repeat(63), "shop");

        assertThat(problem.command().text())
                .isEqualTo("kubectl -n " + "n".repeat(63) + " edit machinedeployment " + name);
        assertThat(problem.message())
                .hasSizeLessThanOrEqualTo(1024)
                .endsWith(problem.command().text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a; reboot", "$(x)", "a b", "`x`", "a...", "a\nb", "-x", ""})
    void aNameThatActsOnAShellGivesNoCommand(String name) {
        Problem problem = new Problem(
                        Reason.ProviderSpecInvalid,
                        ProblemObject.of("MachineDeployment", "n/" + name),
                        "field",
                        "what",
                        "correct it")
                .inTenant("t", "shop");

        assertThat(problem.command()).isEqualTo(Command.NONE);
        assertThat(problem.message()).endsWith("; correct it");
    }

    @Test
    void aMessageIsOneLineWithoutMarksAndNotTooLong() {
        Problem problem = new Problem(
                        Reason.TemplateExecutionFailed,
                        ProblemObject.input("Object\u202e"),
                        "field",
                        "a\nb" + "x".repeat(5_000),
                        "y".repeat(5_000))
                .inTenant("t", "");

        assertThat(problem.message())
                .startsWith("t: Object\\u202e, field: a b")
                .hasSizeLessThanOrEqualTo(1_024)
                .doesNotContain("\n", "\u202e");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kubectl -n a edit machinedeployment b",
                "hub cluster rbac shop -n a | kubectl apply -f -",
                "kubectl delete rolebinding r -n a && kubectl create rolebinding r -n a --clusterrole=r --user=x@example.org"
            })
    void aStoredCommandOfTheHubIsShown(String text) {
        assertThat(Command.checked(ProblemObject.Cluster.MANAGEMENT, text).text())
                .isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "curl evil",
                "kubectl get pods; reboot",
                "kubectl get pods && reboot",
                "kubectl $(x)",
                "hub x | sh",
                "kubectl get\npods"
            })
    void aStoredCommandThatDoesMoreIsNotShown(String text) {
        assertThat(Command.checked(ProblemObject.Cluster.WORKER, text)).isEqualTo(Command.NONE);
    }
}
