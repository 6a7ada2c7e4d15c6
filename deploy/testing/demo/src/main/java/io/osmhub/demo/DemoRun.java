package io.osmhub.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.osmhub.core.model.Sensitive;
import io.osmhub.demo.stage.MachineDeploymentName;
import io.osmhub.demo.stage.MachineFlavor;
import io.osmhub.demo.stage.SecretObserver;
import io.osmhub.demo.stage.SimulatedFleet;
import io.osmhub.demo.stage.SimulatedFleet.SimulatedTenant;
import io.osmhub.sim.SimulatedCluster;
import io.osmhub.sim.SimulationOptions;
import io.osmhub.tenancy.certificate.HubIssuedCertificate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One run of the demo, on the thread that calls {@link #run}; {@link #stop} and {@link #onKeyPressed} may be called from others. */
final class DemoRun implements AutoCloseable {
    /**
     * Options of the demo.
     *
     * @param once stop when every machine runs or {@code timeout} expires
     * @param port of the management cluster, followed by the workers'; 0 for free ports
     * @param root the checkout; empty if none
     */
    record Options(int clusters, boolean once, Duration timeout, int port, boolean keys, String root) {}

    private static final List<String> KEYS = List.of(
            "break, and heal with the same key: m misspelt profile   t broken template",
            "    p wrong provider   c expired credential   b lost connection",
            "also: r change a profile   d delete a secret   q quit");
    private static final String AUDIENCE = "osm-hub";
    private static final int OK = 0;
    private static final int FOUND_SOMETHING = 1;
    private static final int MOST_REASONS = 10;
    private static final int REPLICAS = 2;
    private static final char QUIT = 'q';
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);
    private static final Duration BETWEEN_CREATIONS = Duration.ofMillis(250);
    // Registrations, and unpublished MachineDeployments: the console answers while hundreds of clusters are started.
    private static final int MOST_IN_PROGRESS = 10;
    // So that the displayed latency excludes the discovery of the tenant.
    private static final Duration LONGEST_WAIT_FOR_TENANTS = Duration.ofSeconds(3);
    private static final Duration BOOT_TIME = Duration.ofMillis(300);

    private record Creation(DemoTenant player, MachineDeploymentName name, MachineFlavor recipe) {}

    private final Options options;
    private final DemoScreen screen;
    private final HubStarter starter;
    private final Consumer<SimulatedFleet> prepare;
    private final long began;
    private final BlockingQueue<Character> keys = new LinkedBlockingQueue<>();
    private final List<DemoTenant> players = new ArrayList<>();
    private final Deque<DemoTenant> toRegister = new ArrayDeque<>();
    private final Deque<Creation> toCreate = new ArrayDeque<>();
    private final Workspace workspace;
    private @Nullable SimulatedFleet fleet;
    private HubStarter.@Nullable RunningHub hub;
    private long nextCreation;

    /**
     * Does not start the demo.
     *
     * @param prepare modifies the stage before the hub starts
     * @param began start of the process, in nanoseconds of {@link System#nanoTime}
     */
    DemoRun(Options options, DemoScreen screen, HubStarter starter, Consumer<SimulatedFleet> prepare, long began)
            throws IOException {
        this.options = options;
        this.screen = screen;
        this.starter = starter;
        this.prepare = prepare;
        this.began = began;
        this.workspace = Workspace.create(options.root());
    }

    void onKeyPressed(char key) {
        keys.add(key);
    }

    /** Stops the demo asynchronously. */
    void stop() {
        keys.add(QUIT);
    }

    /** Runs the demo and returns the exit code. {@link #close} must follow. */
    int run() throws Exception {
        screen.printLine("OSM Hub demo. Everything except the hub is simulated.");
        SimulatedFleet built = setUp();
        HubStarter.RunningHub running = starter.start(workspace.configuration(), workspace.log());
        hub = running;
        step("hub ready; its log is " + workspace.log());
        String console = options.once() ? "" : showConsole(built, running);
        step("%d profiles shared; registering each cluster with a labelled kubeconfig Secret"
                .formatted(built.profiles().size()));
        toRegister.addAll(players);
        plan();
        DemoActions tricks = new DemoActions(built, players, console);
        long registered = System.nanoTime();
        List<ClusterRow> rows = rows(built);
        while (true) {
            if (!toRegister.isEmpty()) {
                registerNext(built, rows);
                registered = System.nanoTime();
            }
            boolean connected = rows.stream().allMatch(row -> row.state().equals("Synced"));
            if (connected || System.nanoTime() - registered > LONGEST_WAIT_FOR_TENANTS.toNanos()) {
                createNext();
            }
            // After the creation: otherwise the last row would count as booted while it is being created.
            rows = rows(built);
            screen.showState(DemoView.lines(rows, hints(), screen.size(), screen.colour()));
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
            List<String> shown = key == null ? List.of() : tricks.runAction(key);
            shown.stream().limit(1).forEach(this::step);
            shown.stream()
                    .skip(1)
                    .filter(line -> !line.isEmpty())
                    .forEach(line -> screen.printLine("         " + line));
        }
    }

    /** Stops hub and clusters and deletes the files. */
    @Override
    public void close() throws IOException {
        HubStarter.RunningHub running = hub;
        if (running != null) {
            running.stop();
        }
        SimulatedFleet built = fleet;
        if (built != null) {
            built.close();
        }
        workspace.close();
    }

    /**
     * Returns the URL of the console without a path; empty if there is none. Browsers warn about the certificate: it is issued by the
     * hub's own authority, created for this demo.
     */
    private String showConsole(SimulatedFleet built, HubStarter.RunningHub running) throws IOException {
        String token = built.management().tokenForAudience(AUDIENCE, "demo", "system:masters");
        String console = running.console(new Sensitive(token));
        if (console.isEmpty()) {
            return "";
        }
        Files.writeString(workspace.token(), token);
        step("console (the link signs in once; then use the token in " + workspace.token() + ")");
        screen.printLine(console);
        Files.writeString(workspace.authority(), authority(built));
        String server = console.substring(0, console.indexOf('/', "https://".length()));
        List<String> exports = workspace.exports(server);
        Files.write(workspace.environment(), exports);
        step("for ./hub and kubectl in another terminal: source " + workspace.environment() + ", or paste");
        exports.forEach(screen::printLine);
        return server;
    }

    /** The authorities that the hub's callers trust, from the Secret shared by its replicas. */
    static String authority(SimulatedFleet built) {
        String stored = built.management()
                .objects()
                .get("v1", "Secret", "osm-hub", HubIssuedCertificate.SECRET)
                .map(secret -> secret.path("data").path("ca.crt").asText())
                .orElseThrow(() -> new IllegalStateException("the hub is listening but has stored no authority"));
        return new String(Base64.getDecoder().decode(stored), StandardCharsets.US_ASCII);
    }

    private SimulatedFleet setUp() throws IOException {
        SimulatedFleet built = SimulatedFleet.build(SimulationOptions.defaults().withBasePort(options.port()));
        fleet = built;
        for (int i = 0; i < options.clusters(); i++) {
            SimulatedTenant tenant = built.addTenant(TenantNames.of(i), "worker-" + (i + 1));
            tenant.cluster().startMachineController(BOOT_TIME);
            players.add(new DemoTenant(tenant));
        }
        prepare.accept(built);
        List<SimulatedCluster> clusters = new ArrayList<>(List.of(built.management()));
        players.forEach(player -> clusters.add(player.tenant().cluster()));
        Workspace.writeKubeconfig(workspace.kubeconfig(), clusters);
        Files.writeString(workspace.configuration(), Workspace.hubConfiguration(workspace.kubeconfig()));
        step("1 management and %d worker clusters, the first at %s"
                .formatted(options.clusters(), built.management().url()));
        return built;
    }

    private void plan() {
        int number = 0;
        for (MachineFlavor recipe : MachineFlavor.ALL) {
            MachineDeploymentName name = DemoActions.machineDeployment(number++);
            for (DemoTenant player : players) {
                toCreate.add(new Creation(player, name, recipe));
            }
        }
    }

    private void registerNext(SimulatedFleet built, List<ClusterRow> rows) {
        long answered = rows.stream()
                .filter(row -> !row.state().isEmpty() && !row.state().equals("Connecting"))
                .count();
        long connecting = players.size() - toRegister.size() - answered;
        for (long i = connecting; i < MOST_IN_PROGRESS && !toRegister.isEmpty(); i++) {
            built.register(toRegister.remove().tenant());
        }
    }

    // One at a time to make progress visible; with many clusters several at a time.
    private void createNext() {
        long now = System.nanoTime();
        if (now - nextCreation < 0) {
            return;
        }
        nextCreation = now + BETWEEN_CREATIONS.toNanos();
        long unpublished = players.stream()
                .mapToLong(player -> player.desiredReplicas().size()
                        - player.tenant().cluster().publishTimes().millis().size())
                .sum();
        long most = players.size() < MOST_IN_PROGRESS ? 1 : MOST_IN_PROGRESS - unpublished;
        for (int i = 0; i < most && !toCreate.isEmpty(); i++) {
            Creation creation = toCreate.remove();
            creation.player().create(creation.name(), creation.recipe(), REPLICAS);
        }
    }

    private List<ClusterRow> rows(SimulatedFleet built) {
        return players.stream()
                .map(player -> ClusterRow.of(player, status(built, player.tenant())))
                .toList();
    }

    private static JsonNode status(SimulatedFleet built, SimulatedTenant tenant) {
        return built.management()
                .objects()
                .get("osmhub.io/v1alpha1", "WorkerCluster", tenant.namespace(), tenant.workerCluster())
                .map(found -> found.path("status"))
                .orElse(MissingNode.getInstance());
    }

    private List<String> hints() {
        List<String> hints = new ArrayList<>();
        if (!options.once()) {
            // At most 80 columns; longer texts are printed above, where nothing is truncated.
            SimulatedTenant first = players.getFirst().tenant();
            hints.add("try: kubectl --context %s get secrets -n cloud-init-settings".formatted(first.workerCluster()));
            hints.add("     ./hub get clusters   ./hub why workers-a -n " + first.namespace());
            hints.addAll(options.keys() ? KEYS : List.of("press Ctrl-C to stop"));
        }
        return hints;
    }

    private int succeed(List<ClusterRow> rows) {
        long problems = rows.stream().filter(row -> !row.problem().isEmpty()).count();
        screen.printLine(
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
        reasons.stream().limit(MOST_REASONS).forEach(screen::printLine);
        if (reasons.size() > MOST_REASONS) {
            screen.printLine("  and " + (reasons.size() - MOST_REASONS) + " more");
        }
        screen.printLine("demo: %d of %d machines did not boot in %s s%s"
                .formatted(
                        wanted - running,
                        wanted,
                        seconds(),
                        reasons.isEmpty() ? "" : ": " + reasons.getFirst().strip()));
        return FOUND_SOMETHING;
    }

    private void step(String what) {
        screen.printLine(String.format(Locale.ROOT, "%5s s  %s", seconds(), what));
    }

    private String seconds() {
        return String.format(Locale.ROOT, "%.1f", sinceStart().toMillis() / 1e3);
    }

    private Duration sinceStart() {
        return Duration.ofNanos(System.nanoTime() - began);
    }

    /** A tenant and its requested machines per MachineDeployment. */
    record DemoTenant(
            SimulatedTenant tenant, SecretObserver observer, Map<MachineDeploymentName, Integer> desiredReplicas) {
        DemoTenant(SimulatedTenant tenant) {
            this(tenant, SecretObserver.of(tenant.cluster()), new ConcurrentSkipListMap<>());
        }

        void create(MachineDeploymentName name, MachineFlavor recipe, int replicas) {
            desiredReplicas.put(name, replicas);
            tenant.objects().create(recipe.machineDeployment(name, replicas));
        }
    }

    /** Tenant names that are easier to distinguish than numbers. */
    static final class TenantNames {
        private static final List<String> WORDS = List.of(
                "amber", "birch", "cedar", "dune", "ember", "fjord", "grove", "heron", "iris", "jade", "kelp", "larch",
                "maple", "north", "olive", "pearl", "quartz", "reed", "slate", "tulip", "umber", "violet", "willow",
                "yarrow", "zephyr");

        private TenantNames() {}

        /** The name of a tenant by index from 0: {@code amber}, {@code birch} ... {@code zephyr}, {@code amber-2}. */
        static String of(int index) {
            String word = WORDS.get(index % WORDS.size());
            int round = index / WORDS.size() + 1;
            return round == 1 ? word : word + "-" + round;
        }
    }

    /** Starts the hub as {@code hub run} does, in this process. */
    @FunctionalInterface
    interface HubStarter {
        /** A running hub. */
        interface RunningHub {
            /** Stops it like SIGTERM. */
            void stop();

            /** One-time sign-in URL of its console for the token; empty if it has none. */
            default String console(Sensitive token) {
                return "";
            }
        }

        /**
         * Starts the hub; returns when it serves.
         *
         * @param configuration its configuration file
         * @param log its log file
         */
        RunningHub start(Path configuration, Path log) throws Exception;
    }
}
