package io.osmhub.deploy.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.settings.Setting;
import io.osmhub.deploy.config.ConfigurationLoader.Result;
import io.osmhub.deploy.config.ConfigurationReloader.ReloadResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConfigurationReloaderTest {
    private static final String HEAD = "apiVersion: config.osmhub.io/v1alpha1\nkind: HubConfiguration\n";

    @TempDir
    private Path folder;

    private void write(String yaml) throws IOException {
        Files.writeString(folder.resolve("hub.yaml"), HEAD + yaml);
    }

    private ConfigurationReloader started(Map<String, String> environment) {
        ConfigurationSources sources = new ConfigurationSources(
                folder.resolve("hub.yaml").toString(), folder.resolve("none"), environment, List.of());
        return switch (ConfigurationLoader.load(sources)) {
            case Result.Loaded(EffectiveConfiguration effective) -> new ConfigurationReloader(sources, effective);
            case Result.Refused(var mistakes) -> throw new AssertionError(mistakes);
        };
    }

    @Test
    void seesNothingInAFileThatStaysAsItIs() throws IOException {
        write("log: {level: info}\n");
        ConfigurationReloader file = started(Map.of());

        assertThat(file.poll()).isEqualTo(new ReloadResult.Unchanged());
        write("log: {level: info}\n");
        assertThat(file.poll()).isEqualTo(new ReloadResult.Unchanged());
    }

    @Test
    void takesOverWhatCanChangeInPlaceAndNamesTheRest() throws IOException {
        write("log: {level: info}\n");
        ConfigurationReloader file = started(Map.of());

        write("""
                log: {level: debug}
                defaults: {provisioning: {airGapped: true}}
                api: {rateLimit: {burst: 7}, console: false}
                metrics: {perTenant: true, address: ':9'}
                kubeconfigPolicy: {allow: [Loopback]}
                """);
        ReloadResult change = file.poll();

        assertThat(change).isInstanceOfSatisfying(ReloadResult.AppliedReload.class, taken -> {
            assertThat(taken.reloadedKeys())
                    .containsExactly(
                            "defaults",
                            "kubeconfigPolicy.allow",
                            "api.rateLimit.burst",
                            "metrics.perTenant",
                            "log.level");
            assertThat(taken.restartKeys()).containsExactly("api.console", "metrics.address");
            assertThat(taken.configuration()).isEqualTo(file.current());
        });
        assertThat(file.current().log().level()).isEqualTo("debug");
        assertThat(file.current().defaults().get(Setting.AIR_GAPPED).booleanValue())
                .isTrue();
        assertThat(file.current().api().rateLimit().burst()).isEqualTo(7);
        assertThat(file.current().kubeconfigPolicy().allow()).hasSize(1);
        assertThat(file.current().metrics().perTenant()).isTrue();
        assertThat(file.current().metrics().address()).hasToString(":8080");
        assertThat(file.current().api().console()).isTrue();
        assertThat(file.poll()).isEqualTo(new ReloadResult.Unchanged());
    }

    @Test
    void takesOverNothingOfAFileWithAMistakeAndSaysSoOnce() throws IOException {
        write("log: {level: info}\n");
        ConfigurationReloader file = started(Map.of());

        write("log: {level: debug}\nmetrics: {perTenant: perhaps}\n");

        assertThat(file.poll()).isInstanceOf(ReloadResult.RejectedReload.class);
        assertThat(file.current().log().level()).isEqualTo("info");
        assertThat(file.poll()).isEqualTo(new ReloadResult.Unchanged());

        write("log: {level: debug}\n");
        assertThat(file.poll()).isInstanceOf(ReloadResult.AppliedReload.class);
    }

    @Test
    void whatTheEnvironmentSaysStaysAboveAChangedFile() throws IOException {
        write("log: {level: info}\n");
        ConfigurationReloader file = started(Map.of("OSM_HUB_LOG_LEVEL", "error"));

        write("log: {level: debug}\n");
        ReloadResult change = file.poll();

        assertThat(change)
                .isInstanceOfSatisfying(ReloadResult.AppliedReload.class, taken -> assertThat(taken.reloadedKeys())
                        .isEmpty());
        assertThat(file.current().log().level()).isEqualTo("error");
    }

    @Test
    void aFileThatIsAwayForAMomentChangesNothing() throws IOException {
        write("log: {level: info}\n");
        ConfigurationReloader file = started(Map.of());

        Files.delete(folder.resolve("hub.yaml"));
        assertThat(file.poll()).isEqualTo(new ReloadResult.Unchanged());

        write("log: {level: debug}\n");
        assertThat(file.poll()).isInstanceOf(ReloadResult.AppliedReload.class);
    }
}
