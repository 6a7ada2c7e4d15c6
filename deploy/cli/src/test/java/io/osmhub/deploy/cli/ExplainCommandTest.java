package io.osmhub.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.problem.Reason;
import io.osmhub.core.settings.SettingsCatalog;
import io.osmhub.core.template.FunctionCatalog;
import io.osmhub.core.template.FunctionCatalog.FunctionReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ExplainCommandTest {
    @Test
    void aloneListsTheTopics() {
        assertThat(CommandRun.of("explain").out()).contains("hub explain settings ", "hub explain reason ");
    }

    @Test
    void listsEverySettingWithItsMeaning() {
        String out = CommandRun.of("explain", "settings").out();

        assertThat(out.lines()).hasSize(SettingsCatalog.all().size());
        assertThat(out).contains("provisioning.clusterDNS  ", "Addresses of the cluster DNS service");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "provisioning.clusterDNS",
                "spec.provisioning.clusterDNS",
                "clusterDNS",
                "clusterdns",
                "cluster-dns"
            })
    void explainsASettingByItsPathItsLastNameOrItsFlag(String name) {
        CommandRun run = CommandRun.of("explain", "settings", name);

        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .contains("spec.provisioning.clusterDNS of a WorkerCluster (list of texts)")
                .contains("default     [10.10.10.10]")
                .contains("peer        -cluster-dns")
                .contains("changes     OperatingSystemConfig, provisioning secret");
    }

    @Test
    void takesThePathAfterADotAsKubectlDoes() {
        assertThat(CommandRun.of("explain", "settings.provisioning.clusterDNS"))
                .isEqualTo(CommandRun.of("explain", "settings", "provisioning.clusterDNS"));
    }

    @Test
    void listsTheSettingsBelowAPath() {
        assertThat(CommandRun.of("explain", "settings", "provisioning.proxy")
                        .out()
                        .lines())
                .hasSize(3)
                .allMatch(line -> line.startsWith("provisioning.proxy."));
    }

    @Test
    void explainsEverySettingAndEveryReason() {
        SettingsCatalog.all().forEach(entry -> assertThat(
                        CommandRun.of("explain", "settings", entry.field()).exitCode())
                .as(entry.field())
                .isZero());
        for (Reason reason : Reason.values()) {
            assertThat(CommandRun.of("explain", "reason", reason.wireName()).out())
                    .startsWith(reason.wireName() + " (")
                    .contains("set when ");
        }
    }

    @Test
    void explainsAFunctionOfEachLanguageThatHasIt() {
        String out = CommandRun.of("explain", "function", "indent").out();

        assertThat(out)
                .contains("indent (Go template, ", "indent (Handlebars, ", "example     {{", "from        sprig");
    }

    @Test
    void explainsEveryFunctionAndListsThem() {
        String overview = CommandRun.of("explain", "functions").out();

        for (FunctionReference function : FunctionCatalog.all()) {
            assertThat(overview).contains("  " + function.signature());
            assertThat(CommandRun.of("explain", "function", function.name()).out())
                    .as(function.name())
                    .contains(function.name() + " (" + function.language().title());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "settings, clusterDnss, did you mean provisioning.clusterDNS?",
        "settings, provisioning.proxi.httpProxy, did you mean provisioning.proxy.httpProxy?",
        "settings, nothing-like-it, list all with hub explain settings",
        "function, indnet, did you mean indent?",
        "reason, UserDataTooLarg, did you mean UserDataTooLarge?",
        "raeson, UserDataTooLarge, did you mean reason?",
    })
    void suggestsWhatWasMeantByAnUnknownName(String topic, String name, String cure) {
        CommandRun run = CommandRun.of("explain", topic, name);

        assertThat(run.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith("hub: unknown ").endsWith("; " + cure + "\n");
    }
}
