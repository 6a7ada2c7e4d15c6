package io.osmhub.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.api.diagnosis.LiveDiagnosisService;
import io.osmhub.api.diagnosis.WhyReportText;
import io.osmhub.api.schema.WhyReport;
import io.osmhub.api.schema.WhyReport.Link.LinkState;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Reason;
import io.osmhub.demo.stage.SimulatedFleet;
import io.osmhub.deploy.cli.HubCommand;
import io.osmhub.deploy.cli.Terminal;
import io.osmhub.deploy.config.ConfigurationLoader;
import io.osmhub.deploy.config.ConfigurationSources;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.deploy.run.HubService;
import io.osmhub.sim.SimulatedCluster;
import io.osmhub.sim.SimulationOptions;
import io.osmhub.tenancy.Hub;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
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
import java.util.function.BooleanSupplier;
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
        try (SimulatedFleet stage =
                SimulatedFleet.build(SimulationOptions.defaults().withSharedAuthority(true))) {
            for (TenantFault fault : TenantFault.values()) {
                String name = fault.name().toLowerCase(Locale.ROOT).replace('_', '-');
                FaultFixture scene = new FaultFixture(stage, stage.addTenant("t-" + name, "c-" + name));
                fault.prepare(scene);
                scene.register();
                scenes.put(fault, scene);
            }
            try (HubService service = HubService.run(configuration(stage), false, "osm-hub-test")) {
                Hub hub = (Hub) service.tenants();
                LiveDiagnosisService diagnosis = new LiveDiagnosisService(hub.details(), InstantSource.system());
                await(() -> scenes.entrySet().stream()
                        .filter(entry -> entry.getKey().isInjectedLater())
                        .allMatch(entry -> why(diagnosis, entry.getValue())
                                .filter(report -> report.newNodes() == NewNodes.CURRENT)
                                .isPresent()));

                scenes.forEach((fault, scene) -> fault.inject(scene));

                // A connection that does not answer is soon one that cannot be made: each fault is to be named rightly
                // once.
                Map<TenantFault, FaultFixture> unnamed = new EnumMap<>(scenes);
                await(() -> {
                    unnamed.entrySet().removeIf(entry -> isNamed(diagnosis, entry.getKey(), entry.getValue()));
                    return unnamed.isEmpty();
                });
                assertThat(wrong(diagnosis, unnamed)).isEmpty();

                Map<TenantFault, FaultFixture> untold = new EnumMap<>(scenes);
                await(() -> {
                    untold.entrySet()
                            .removeIf(entry ->
                                    isToldStraight(entry.getKey(), entry.getValue(), why(diagnosis, entry.getValue())));
                    return untold.isEmpty();
                });
                List<String> wrong = new ArrayList<>();
                untold.forEach((fault, scene) -> wrong.add(fault + ":\n" + straight(scene)));
                assertThat(wrong).isEmpty();
            }
        }
    }

    private HubConfiguration configuration(SimulatedFleet stage) throws Exception {
        Path kubeconfig = folder.resolve("kubeconfig");
        KubeconfigFile.write(kubeconfig, List.<SimulatedCluster>of(stage.management()));
        Path file = folder.resolve("hub.yaml");
        Files.writeString(file, HubConfigurationFile.yaml(kubeconfig));
        ConfigurationSources sources =
                new ConfigurationSources(file.toString(), ConfigurationSources.USUAL_FILE, Map.of(), List.of());
        return switch (ConfigurationLoader.load(sources)) {
            case ConfigurationLoader.Result.Loaded loaded -> loaded.effective().configuration();
            case ConfigurationLoader.Result.Refused refused ->
                throw new IllegalStateException("the configuration is refused: " + refused.mistakes());
        };
    }

    private static Optional<WhyReport> why(LiveDiagnosisService diagnosis, FaultFixture scene) {
        return diagnosis.explain(scene.namespace(), scene.machineNamespace(), scene.machineDeployment(), false);
    }

    /** Faults that are not, or not rightly, named, with what is said instead. */
    private static List<String> wrong(LiveDiagnosisService diagnosis, Map<TenantFault, FaultFixture> scenes) {
        List<String> wrong = new ArrayList<>();
        scenes.forEach((fault, scene) -> {
            WhyReport report = why(diagnosis, scene).orElse(null);
            if (report == null || !isRight(fault, report)) {
                wrong.add(fault + " should be " + fault.cause() + " at " + fault.link() + ":\n"
                        + (report == null ? "nothing" : String.join("\n", WhyReportText.lines(report, 120))));
            }
        });
        return wrong;
    }

    /** Output of the command based on stored state, without a hub. */
    private record Straight(int exit, String out, String err) {}

    private Straight straight(FaultFixture scene) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        List<String> arguments = List.of(
                "why",
                "md",
                scene.machineNamespace() + "/" + scene.machineDeployment(),
                "-n",
                scene.namespace(),
                "--kubeconfig",
                folder.resolve("kubeconfig").toString());
        int exit = HubCommand.run(
                new Terminal(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8)),
                arguments.toArray(String[]::new));
        return new Straight(exit, out.toString(UTF_8), err.toString(UTF_8));
    }

    /** As the hub names it: rightly once, and what has become of it since. */
    private boolean isToldStraight(TenantFault fault, FaultFixture scene, Optional<WhyReport> hub) {
        Straight told = straight(scene);
        return fault.isStored()
                ? told.exit() == 1
                        && (names(told, fault.cause())
                                || hub.map(WhyReport::cause)
                                        .filter(cause -> names(told, cause.reason()))
                                        .isPresent())
                        && told.err().contains("based on stored state; use --server")
                : told.exit() == 3
                        && told.err()
                                .contains(
                                        "which lacks MachineDeployments that were never rendered; use the hub's API (--server)")
                        && told.err()
                                .contains("  open in " + scene.namespace() + ": "
                                        + fault.cause().wireName() + ": ");
    }

    private static boolean names(Straight told, Reason cause) {
        return told.out().contains("Cause   " + cause.wireName() + " ");
    }

    private static boolean isNamed(LiveDiagnosisService diagnosis, TenantFault fault, FaultFixture scene) {
        return why(diagnosis, scene).filter(report -> isRight(fault, report)).isPresent();
    }

    private static boolean isRight(TenantFault fault, WhyReport report) {
        boolean broken = report.links().stream()
                .anyMatch(link -> link.state() == LinkState.BROKEN && link.name() == fault.link());
        return broken
                && report.newNodes() != NewNodes.CURRENT
                && report.cause() != null
                && report.cause().reason() == fault.cause()
                && report.cause().cure() != null
                && !report.cause().cure().isBlank();
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + LONGEST.toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() < end) {
            Thread.sleep(200);
        }
    }

    @Test
    void theGuideListsEveryFault() throws Exception {
        String guide = Files.readString(root().resolve("docs/how-to/diagnose-nodes.md"));

        for (TenantFault fault : TenantFault.values()) {
            assertThat(guide.lines())
                    .filteredOn(line -> line.startsWith(
                            "| " + fault.what() + " | `" + fault.cause().wireName() + "` |"))
                    .singleElement()
                    .satisfies(line -> assertThat(line)
                            .endsWith(fault.isStored() ? " | the same |" : " | that it is open in the tenant |"));
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
