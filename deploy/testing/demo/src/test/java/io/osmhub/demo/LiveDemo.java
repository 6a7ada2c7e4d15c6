package io.osmhub.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.demo.DemoRun.DemoTenant;
import io.osmhub.demo.DemoRun.TenantNames;
import io.osmhub.demo.stage.MachineFlavor;
import io.osmhub.demo.stage.SimulatedFleet;
import io.osmhub.demo.stage.SimulatedFleet.SimulatedTenant;
import io.osmhub.deploy.cli.HubCommand;
import io.osmhub.deploy.cli.Terminal;
import io.osmhub.sim.SimulationOptions;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The clusters, MachineDeployments and keys of {@code ./hub demo}, all published, with the hub's API. */
final class LiveDemo implements AutoCloseable {
    private static final int CLUSTERS = 3;

    private final LiveApi api;
    private final DemoActions actions;
    private final Path token;
    private final Path authority;

    private LiveDemo(LiveApi api, DemoActions actions, Path token, Path authority) {
        this.api = api;
        this.actions = actions;
        this.token = token;
        this.authority = authority;
    }

    static LiveDemo start(Path folder) throws Exception {
        SimulatedFleet stage = SimulatedFleet.build(SimulationOptions.defaults());
        List<DemoTenant> players = new ArrayList<>();
        for (int i = 0; i < CLUSTERS; i++) {
            SimulatedTenant tenant = stage.addTenant(TenantNames.of(i), "worker-" + (i + 1));
            tenant.cluster().startMachineController(Duration.ofMillis(300));
            players.add(new DemoTenant(tenant));
        }
        LiveApi api = LiveApi.start(stage, folder, "");
        for (DemoTenant player : players) {
            stage.register(player.tenant());
            for (int i = 0; i < MachineFlavor.ALL.size(); i++) {
                player.create(DemoActions.machineDeployment(i), MachineFlavor.ALL.get(i), 2);
            }
        }
        api.listen();
        Path token = Files.writeString(folder.resolve("token"), api.admin());
        Path authority = Files.writeString(folder.resolve("ca.pem"), DemoRun.authority(stage));
        LiveDemo demo = new LiveDemo(api, new DemoActions(stage, players, api.server()), token, authority);
        for (DemoTenant player : players) {
            for (int i = 0; i < MachineFlavor.ALL.size(); i++) {
                String why = "why " + DemoActions.machineDeployment(i) + " -n "
                        + player.tenant().namespace();
                LiveApi.awaitTrue(() -> demo.runHub(why).startsWith("Current:"));
            }
        }
        return demo;
    }

    LiveApi api() {
        return api;
    }

    List<String> pressKey(char key) {
        return actions.runAction(key);
    }

    /** The commands that the demo prints to paste, as values. */
    List<String> environment() {
        return List.of(
                "OSM_HUB_SERVER=" + api.server(),
                "OSM_HUB_TOKEN_FILE=" + token.toAbsolutePath(),
                "OSM_HUB_CA_FILE=" + authority.toAbsolutePath());
    }

    /** The output of a command, on one line. */
    String runHub(String command) {
        List<String> all = new ArrayList<>(List.of(command.split(" ")));
        all.addAll(
                List.of("--server", api.server(), "--token-file", token.toString(), "--ca-file", authority.toString()));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, UTF_8);
        HubCommand.run(new Terminal(stream, stream), all.toArray(String[]::new));
        return out.toString(UTF_8).replaceAll("\\s+", " ");
    }

    @Override
    public void close() {
        api.close();
    }
}
