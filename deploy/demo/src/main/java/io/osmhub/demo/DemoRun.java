package io.osmhub.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.osmhub.api.certificate.OwnCertificate;
import io.osmhub.core.model.Sensitive;
import io.osmhub.demo.screen.Screen;
import io.osmhub.demo.stage.MachineDeploymentName;
import io.osmhub.demo.stage.Recipe;
import io.osmhub.demo.stage.Stage;
import io.osmhub.demo.stage.Tenant;
import io.osmhub.sim.SimulatedCluster;
import io.osmhub.sim.SimulationOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One demo from its first line to its last. It runs on the thread that calls {@link #play}; {@link #stop} and {@link #press} may come from others. */
final class DemoRun implements AutoCloseable {
    /**
     * What is to be shown.
     *
     * @param once ends as soon as every machine runs, or when {@code timeout} is over
     * @param port of the management cluster, the workers' follow; 0 takes any
     * @param root the checkout; empty when there is none
     */
    record Options(int clusters, boolean once, Duration timeout, int port, boolean keys, String root) {}

    private static final String KEYS =
            "keys: r change a profile   b break or heal a cluster   d delete a secret   q quit";
    private static final String AUDIENCE = "osm-hub";
    private static final int OK = 0;
    private static final int FOUND_SOMETHING = 1;
    private static final int MOST_REASONS = 10;
    private static final int REPLICAS = 2;
    private static final char QUIT = 'q';
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);
    private static final Duration BETWEEN_CREATIONS = Duration.ofMillis(250);
    // What is shown as latency is then the hub's own, and not the time until it has heard of a tenant.
    private static final Duration LONGEST_WAIT_FOR_TENANTS = Duration.ofSeconds(3);
    private static final Duration BOOT_TIME = Duration.ofMillis(300);

    private record Creation(Player player, MachineDeploymentName name, Recipe recipe) {}

    private final Options options;
    private final Screen screen;
    private final HubStarter starter;
    private final Consumer<Stage> prepare;
    private final long began;
    private final BlockingQueue<Character> keys = new LinkedBlockingQueue<>();
    private final List<Player> players = new ArrayList<>();
    private final Deque<Creation> toCreate = new ArrayDeque<>();
    private final Workspace workspace;
    private @Nullable Stage stage;
    private HubStarter.@Nullable RunningHub hub;
    private long nextCreation;

    /**
     * A demo that has not begun.
     *
     * @param prepare changes the stage before the hub comes
     * @param began when the process was started, in nanoseconds of {@link System#nanoTime}
     */
    DemoRun(Options options, Screen screen, HubStarter starter, Consumer<Stage> prepare, long began)
            throws IOException {
        this.options = options;
        this.screen = screen;
        this.starter = starter;
        this.prepare = prepare;
        this.began = began;
        this.workspace = Workspace.create(options.root());
    }

    /** A key was pressed. */
    void press(char key) {
        keys.add(key);
    }

    /** Ends it soon. */
    void stop() {
        keys.add(QUIT);
    }

    /** Plays it and returns the exit code. {@link #close} must follow. */
    int play() throws Exception {
        screen.say("OSM Hub demo. Everything is simulated here, except the hub.");
        Stage built = setUp();
        HubStarter.RunningHub running = starter.start(workspace.configuration(), workspace.log());
        hub = running;
        step("hub ready; its log is " + workspace.log());
        if (!options.once()) {
            showConsole(built, running);
        }
        players.forEach(player -> built.register(player.tenant()));
        step("%d profiles shared, %d kubeconfig Secrets labelled"
                .formatted(built.profiles().size(), players.size()));
        plan();
        Tricks tricks = new Tricks(built, players);
        long registered = System.nanoTime();
        while (true) {
            boolean connected = rows(built).stream().allMatch(row -> row.state().equals("Synced"));
            if (connected || System.nanoTime() - registered > LONGEST_WAIT_FOR_TENANTS.toNanos()) {
                createNext();
            }
            // Looked at after the creation: the rows before it would take the last one for booted that is just being
            // created.
            List<ClusterRow> rows = rows(built);
            screen.show(View.lines(rows, hints(), screen.size(), screen.colour()));
            if (options.once() && toCreate.isEmpty() && rows.stream().allMatch(ClusterRow::complete)) {
                return succeed(rows);
            }
            if (options.once() && sinceStart().compareTo(options.timeout()) >= 0) {
                return fail(rows);
            }
            Character key = keys.poll(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS);
            if (key != null && key == QUIT) {
                return OK;
            }
            String said = key == null ? "" : tricks.play(key);
            if (!said.isEmpty()) {
                step(said);
            }
        }
    }

    /** Ends hub and clusters and removes the files. */
    @Override
    public void close() throws IOException {
        HubStarter.RunningHub running = hub;
        if (running != null) {
            running.stop();
        }
        Stage built = stage;
        if (built != null) {
            built.close();
        }
        workspace.close();
    }

    /** The browser warns of the certificate: the hub's own authority, made for this demo, is known to nobody. */
    private void showConsole(Stage built, HubStarter.RunningHub running) throws IOException {
        String token = built.management().tokenForAudience(AUDIENCE, "demo", "system:masters");
        String console = running.console(new Sensitive(token));
        if (!console.isEmpty()) {
            Files.writeString(workspace.token(), token);
            step("console " + console + " (signed in by the link, once; then with the token below)");
            Files.writeString(workspace.authority(), authority(built));
            step("the same with ./hub: --server " + console.substring(0, console.indexOf('/', "https://".length()))
                    + " --token-file " + workspace.token() + " --ca-file " + workspace.authority());
        }
    }

    /** The hub keeps its authority's certificate where all its replicas find it. */
    private static String authority(Stage built) {
        String stored = built.management()
                .objects()
                .get("v1", "Secret", "osm-hub", OwnCertificate.AUTHORITY_SECRET)
                .map(secret -> secret.path("data").path("tls.crt").asText())
                .orElseThrow(() -> new IllegalStateException("the hub listens and has stored no authority"));
        return new String(Base64.getDecoder().decode(stored), StandardCharsets.US_ASCII);
    }

    private Stage setUp() throws IOException {
        Stage built = Stage.build(SimulationOptions.defaults().withBasePort(options.port()));
        stage = built;
        for (int i = 0; i < options.clusters(); i++) {
            Tenant tenant = built.addTenant(TenantNames.of(i), "worker-" + (i + 1));
            tenant.cluster().startMachineController(BOOT_TIME);
            players.add(new Player(tenant));
        }
        prepare.accept(built);
        List<SimulatedCluster> clusters = new ArrayList<>(List.of(built.management()));
        players.forEach(player -> clusters.add(player.tenant().cluster()));
        KubeconfigFile.write(workspace.kubeconfig(), clusters);
        Files.writeString(workspace.configuration(), HubConfigurationFile.yaml(workspace.kubeconfig()));
        step("1 management and %d worker clusters, the first at %s"
                .formatted(options.clusters(), built.management().url()));
        if (!options.once()) {
            step("to look into them: export KUBECONFIG=" + workspace.kubeconfig());
        }
        return built;
    }

    private void plan() {
        int number = 0;
        for (Recipe recipe : Recipe.ALL) {
            String name = "workers-" + (char) ('a' + number++);
            for (Player player : players) {
                toCreate.add(new Creation(player, new MachineDeploymentName("kube-system", name), recipe));
            }
        }
    }

    // One after the other, so that there is something to see; with many clusters several at a time.
    private void createNext() {
        long now = System.nanoTime();
        if (now - nextCreation < 0) {
            return;
        }
        nextCreation = now + BETWEEN_CREATIONS.toNanos();
        for (int i = 0; i < Math.max(1, players.size() / 3) && !toCreate.isEmpty(); i++) {
            Creation creation = toCreate.remove();
            creation.player().create(creation.name(), creation.recipe(), REPLICAS);
        }
    }

    private List<ClusterRow> rows(Stage built) {
        return players.stream()
                .map(player -> ClusterRow.of(player, status(built, player.tenant())))
                .toList();
    }

    private static JsonNode status(Stage built, Tenant tenant) {
        return built.management()
                .objects()
                .get("osmhub.io/v1alpha1", "WorkerCluster", tenant.namespace(), tenant.workerCluster())
                .map(found -> found.path("status"))
                .orElse(MissingNode.getInstance());
    }

    private List<String> hints() {
        List<String> hints = new ArrayList<>();
        if (!options.once()) {
            // Short enough to be pasted from a narrow terminal: what is longer was said above, where nothing is cut.
            Tenant first = players.getFirst().tenant();
            hints.add("try: kubectl --context %s get secrets -n cloud-init-settings".formatted(first.workerCluster()));
            hints.add("     ./hub get clusters; ./hub why md kube-system/workers-a -n " + first.namespace());
            hints.add(options.keys() ? KEYS : "Ctrl-C ends it");
        }
        return hints;
    }

    private int succeed(List<ClusterRow> rows) {
        long problems = rows.stream().filter(row -> !row.problem().isEmpty()).count();
        screen.say(
                "demo: %d MachineDeployments in %d clusters, %d machines booted from right secrets, %d problems, %s s"
                        .formatted(
                                rows.stream()
                                        .mapToInt(ClusterRow::machineDeployments)
                                        .sum(),
                                rows.size(),
                                rows.stream().mapToInt(ClusterRow::machines).sum(),
                                problems,
                                seconds()));
        return OK;
    }

    private int fail(List<ClusterRow> rows) {
        int running = rows.stream().mapToInt(ClusterRow::machines).sum();
        int wanted = rows.stream().mapToInt(ClusterRow::machinesWanted).sum() + toCreate.size() * REPLICAS;
        List<String> reasons = new ArrayList<>();
        for (ClusterRow row : rows) {
            if (!row.complete()) {
                reasons.add(
                        row.problem().isEmpty()
                                ? ""
                                : "  " + row.tenant() + " " + row.workerCluster() + ": " + row.problem());
                row.missing().forEach(missing -> reasons.add("  " + missing));
            }
        }
        reasons.removeIf(String::isEmpty);
        reasons.stream().limit(MOST_REASONS).forEach(screen::say);
        if (reasons.size() > MOST_REASONS) {
            screen.say("  and " + (reasons.size() - MOST_REASONS) + " more");
        }
        screen.say("demo: %d of %d machines did not boot in %s s%s"
                .formatted(
                        wanted - running,
                        wanted,
                        seconds(),
                        reasons.isEmpty() ? "" : ": " + reasons.getFirst().strip()));
        return FOUND_SOMETHING;
    }

    private void step(String what) {
        screen.say(String.format(Locale.ROOT, "%5s s  %s", seconds(), what));
    }

    private String seconds() {
        return String.format(Locale.ROOT, "%.1f", sinceStart().toMillis() / 1e3);
    }

    private Duration sinceStart() {
        return Duration.ofNanos(System.nanoTime() - began);
    }
}
