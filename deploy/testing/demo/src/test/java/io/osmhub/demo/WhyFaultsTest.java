package io.osmhub.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.diagnosis.DiagnosisService;
import io.osmhub.api.diagnosis.WhyReportText;
import io.osmhub.api.schema.WhyReport;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.demo.stage.SimulatedFleet;
import io.osmhub.deploy.config.ConfigurationLoader;
import io.osmhub.deploy.config.ConfigurationSources;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.deploy.run.HubService;
import io.osmhub.sim.SimulatedCluster;
import io.osmhub.sim.SimulationOptions;
import io.osmhub.tenancy.Hub;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many simultaneous faults, each in a separate worker cluster, are diagnosed correctly by the real hub. */
final class WhyFaultsTest {
    private static final Duration LONGEST = Duration.ofMinutes(3);

    @TempDir
    private Path folder;

    @Test
    void eachFaultIsNamedAsTheCauseAtItsLinkWithACure() throws Exception {
        Map<TenantFault, FaultFixture> scenes = new EnumMap<>(TenantFault.class);
        try (SimulatedFleet stage = SimulatedFleet.build(SimulationOptions.fleet())) {
            for (TenantFault fault : TenantFault.values()) {
                String name = fault.name().toLowerCase(Locale.ROOT).replace('_', '-');
                FaultFixture scene = new FaultFixture(stage, stage.addTenant("t-" + name, "c-" + name));
                fault.prepare(scene);
                scene.register();
                scenes.put(fault, scene);
            }
            try (HubService service = HubService.run(configuration(stage), false, "osm-hub-test")) {
                Hub hub = service.hub();
                DiagnosisService diagnosis = new DiagnosisService(hub.details(), tenant -> "", InstantSource.system());
                await().until(() -> scenes.entrySet().stream()
                        .filter(entry -> entry.getKey().isInjectedLater())
                        .allMatch(entry -> why(diagnosis, entry.getValue())
                                .filter(report -> report.newNodes() == NewNodes.CURRENT)
                                .isPresent()));

                scenes.forEach((fault, scene) -> fault.inject(scene));

                // A connection that does not answer is soon one that cannot be made: each fault is to be named rightly
                // once.
                Map<TenantFault, FaultFixture> unnamed = new EnumMap<>(scenes);
                await().untilAsserted(() -> {
                    unnamed.entrySet().removeIf(entry -> isNamed(diagnosis, entry.getKey(), entry.getValue()));
                    assertThat(wrong(diagnosis, unnamed)).isEmpty();
                });
            }
        }
    }

    @Test
    void aClusterThatDoesNotAnswerIsShownBeforeTheVerdictAndNoOtherStatusIsWritten() throws Exception {
        try (SimulatedFleet stage = SimulatedFleet.build(SimulationOptions.fleet())) {
            FaultFixture silent = new FaultFixture(stage, stage.addTenant("t-silent", "c-silent"));
            FaultFixture healthy = new FaultFixture(stage, stage.addTenant("t-healthy", "c-healthy"));
            silent.register();
            healthy.register();
            try (HubService service = HubService.run(configuration(stage), false, "osm-hub-test")) {
                await().until(() -> isServed(silent) && isServed(healthy));
                JsonNode before = withoutTimes(healthy);

                silent.faults().blackHole(true);
                await().until(() -> isServed(silent) && !noAnswerSince(silent).isEmpty());
                await().until(() -> state(silent).equals("Unreachable"));
                assertThat(noAnswerSince(silent)).isNotEmpty();
                assertThat(withoutTimes(healthy)).isEqualTo(before);

                silent.faults().blackHole(false);
                await().untilAsserted(() -> assertThat(silent.storedWorkerCluster())
                        .as("served again, and answering")
                        .matches(_ -> isServed(silent) && noAnswerSince(silent).isEmpty()));
                assertThat(service.hub()).isNotNull();
            }
        }
    }

    private static boolean isServed(FaultFixture tenant) {
        return state(tenant).equals("Synced");
    }

    private static String state(FaultFixture tenant) {
        return tenant.storedWorkerCluster().path("status").path("state").asText();
    }

    private static String noAnswerSince(FaultFixture tenant) {
        return tenant.storedWorkerCluster().path("status").path("noAnswerSince").asText();
    }

    /** On a busy machine, a healthy cluster also responds late at times. */
    private static JsonNode withoutTimes(FaultFixture tenant) {
        ObjectNode status = tenant.storedWorkerCluster().path("status").deepCopy();
        return status.without(List.of("noAnswerSince", "lastSyncTime"));
    }

    private HubConfiguration configuration(SimulatedFleet stage) throws Exception {
        Path kubeconfig = folder.resolve("kubeconfig");
        Workspace.writeKubeconfig(kubeconfig, List.<SimulatedCluster>of(stage.management()));
        Path file = folder.resolve("hub.yaml");
        Files.writeString(file, Workspace.hubConfiguration(kubeconfig));
        ConfigurationSources sources =
                new ConfigurationSources(file.toString(), ConfigurationSources.USUAL_FILE, Map.of(), List.of());
        return switch (ConfigurationLoader.load(sources)) {
            case ConfigurationLoader.Result.Loaded loaded -> loaded.effective().configuration();
            case ConfigurationLoader.Result.Refused refused ->
                throw new IllegalStateException("the configuration is refused: " + refused.mistakes());
        };
    }

    private static Optional<WhyReport> why(DiagnosisService diagnosis, FaultFixture scene) {
        return diagnosis.explain(scene.namespace(), scene.machineNamespace(), scene.machineDeployment(), false);
    }

    /** Faults that are not, or not rightly, named, with what is said instead. */
    private static List<String> wrong(DiagnosisService diagnosis, Map<TenantFault, FaultFixture> scenes) {
        List<String> wrong = new ArrayList<>();
        scenes.forEach((fault, scene) -> {
            WhyReport report = why(diagnosis, scene).orElse(null);
            if (report == null || !fault.isNamedIn(report, fault.command(scene))) {
                wrong.add(fault + " should be " + fault.cause() + " at " + fault.link() + " with "
                        + fault.command(scene) + ":\n"
                        + (report == null ? "nothing" : String.join("\n", WhyReportText.lines(report, 120))));
            }
        });
        return wrong;
    }

    private static boolean isNamed(DiagnosisService diagnosis, TenantFault fault, FaultFixture scene) {
        return why(diagnosis, scene)
                .filter(report -> fault.isNamedIn(report, fault.command(scene)))
                .isPresent();
    }

    private static ConditionFactory await() {
        return Awaitility.await()
                .pollInSameThread()
                .pollInterval(Duration.ofMillis(200))
                .atMost(LONGEST);
    }

    @Test
    void theGuideListsEveryFault() throws Exception {
        String guide = Files.readString(root().resolve("docs/how-to/diagnose-nodes.md"));

        for (TenantFault fault : TenantFault.values()) {
            assertThat(guide.lines())
                    .filteredOn(line -> line.startsWith(
                            "| " + fault.what() + " | `" + fault.cause().wireName() + "` |"))
                    .hasSize(1);
        }
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/architecture.md"))) {
            folder = Objects.requireNonNull(folder.getParent(), "the checkout has docs/architecture.md");
        }
        return folder;
    }
}
