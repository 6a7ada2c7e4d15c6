package io.osmhub.bench;

import io.osmhub.bench.BenchHubProcess.HubSetup;
import io.osmhub.e2e.cluster.TrustedHttpClient;
import io.osmhub.sim.auth.SimulatedAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./hub bench train}: creates the AOT caches of an unpacked distribution. */
@Command(
        name = "train",
        description =
                "Create the AOT caches of an unpacked distribution by serving simulated clusters, for a faster start.",
        hidden = true, // called by ./hub dist
        mixinStandardHelpOptions = true)
final class TrainCommand implements Callable<Integer> {
    @Option(
            names = "--home",
            paramLabel = "FOLDER",
            required = true,
            description = "The unpacked distribution; its lib/hub.aot and lib/cluster.aot are written.")
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private Path home;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path checkout = Path.of(System.getProperty("osmhub.root", "."));
        Path folder = Files.createTempDirectory(Files.createDirectories(checkout.resolve("target")), "training-");
        for (Path cache : Training.makeCaches(home.toAbsolutePath().resolve("bin/hub"), checkout, folder)) {
            System.err.printf("AOT cache  %,d bytes in %s%n", Files.size(cache), cache);
        }
        return 0;
    }

    /**
     * Creates an AOT cache of an installed hub (JEP 483, 514, 515): lets the hub serve simulated clusters and their page in the console
     * while Java records loaded classes and executed methods. Records the second of two starts, which finds the objects published by
     * the first.
     */
    static final class Training implements AutoCloseable {
        private static final int CLUSTERS = 12;
        private static final int MACHINE_DEPLOYMENTS = 3;
        private static final int PAGES = 20;
        private static final Duration LONGEST_WAIT = Duration.ofMinutes(3);
        private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);
        /** Statuses are written after everything else. */
        private static final Duration AFTERWARDS = Duration.ofSeconds(3);

        /** One cache for each set of options of {@code bin/hub}. */
        enum Service {
            /** {@code hub run}. All classes of the cache are loaded and linked at the start. */
            FLEET("hub.aot", ""),
            /**
             * {@code hub run --single}, whose classes include those of {@code hub controller} and {@code hub webhook}. Classes are
             * loaded when used, and without profiles, which only a second compiler reads.
             */
            ONE_CLUSTER(
                    "cluster.aot",
                    " -XX:-AOTClassLinking -XX:+UnlockDiagnosticVMOptions -XX:-AOTRecordTraining -XX:-AOTReplayTraining");

            private final String file;
            private final String javaOptions;

            Service(String file, String javaOptions) {
                this.file = file;
                this.javaOptions = javaOptions;
            }
        }

        private final Service service;
        private final Path program;
        private final Path folder;
        private final BenchFleet fleet;
        private final HubSetup setup;
        private final ConsoleClient console;
        private final SimulatedAuthority authority = SimulatedAuthority.create("webhooks");
        private final int webhookPort;

        /**
         * Writes or replaces all caches of a distribution.
         *
         * @param program its {@code bin/hub}
         * @param folder an empty folder for the hub's files
         * @throws IOException if the hub fails or Java does not write the cache, with the end of the log
         */
        static List<Path> makeCaches(Path program, Path checkout, Path folder)
                throws IOException, InterruptedException {
            List<Path> caches = new ArrayList<>();
            for (Service service : Service.values()) {
                Path cache =
                        program.resolveSibling("../lib").resolve(service.file).normalize();
                try (Training training = new Training(
                        service, program, checkout, Files.createDirectory(folder.resolve(service.name())))) {
                    training.makeCache(cache);
                }
                caches.add(cache);
            }
            return caches;
        }

        private Training(Service service, Path program, Path checkout, Path folder) throws IOException {
            this.service = service;
            this.program = program;
            this.folder = folder;
            this.fleet = BenchFleet.build(checkout);
            this.setup = HubSetup.of(fleet, folder);
            this.console = ConsoleClient.of(setup, fleet);
            this.webhookPort = setup.serveWebhooks(authority.serving());
        }

        private void makeCache(Path cache) throws IOException, InterruptedException {
            Files.deleteIfExists(cache);
            if (service == Service.ONE_CLUSTER) {
                fleet.addManagementCluster();
            } else {
                for (int i = 0; i < CLUSTERS; i++) {
                    fleet.addTenant(MACHINE_DEPLOYMENTS);
                }
            }
            serve("", "first.log");
            Path recorded = folder.resolve("recorded");
            serve("-XX:AOTMode=record -XX:AOTConfiguration=" + recorded + service.javaOptions, "recorded.log");
            if (!Files.exists(recorded)) {
                throw new IOException("Java recorded nothing; see " + folder.resolve("recorded.log"));
            }
            String create = "-XX:AOTMode=create -XX:AOTConfiguration=" + recorded + " -XX:AOTCache=" + cache
                    + service.javaOptions;
            try (BenchHubProcess process = BenchHubProcess.start(command(), create, folder.resolve("create.log"))) {
                process.awaitExit(LONGEST_WAIT);
            }
            if (!Files.exists(cache)) {
                throw new IOException("Java created no cache; see " + folder.resolve("create.log"));
            }
        }

        private void serve(String javaOptions, String log) throws IOException, InterruptedException {
            try (BenchHubProcess hub = BenchHubProcess.start(command(), javaOptions, folder.resolve(log))) {
                hub.awaitReady(setup.healthPort());
                awaitPublished(hub);
                for (int i = 0; i < CLUSTERS; i++) {
                    fleet.create(i % fleet.tenants().size(), log.replace('.', '-') + i);
                }
                awaitPublished(hub);
                // Otherwise the first page after a start would take twice as long.
                String cookie = console.signIn(hub);
                for (int i = 0; i < PAGES; i++) {
                    console.readFleet(hub, cookie);
                }
                OneClusterBench.review(
                        TrustedHttpClient.of(authority.pem()), webhookPort, fleet.example(), MACHINE_DEPLOYMENTS);
                Thread.sleep(AFTERWARDS);
                // At exit, recording writes a file of about 80 MB.
                hub.stop(LONGEST_WAIT);
            }
        }

        private List<String> command() {
            List<String> command = new ArrayList<>(setup.command(program));
            if (service == Service.ONE_CLUSTER) {
                command.add("--single");
            }
            return command;
        }

        private void awaitPublished(BenchHubProcess hub) throws IOException, InterruptedException {
            long began = System.nanoTime();
            while (fleet.pending() > 0) {
                hub.requireAlive();
                if (System.nanoTime() - began > LONGEST_WAIT.toNanos()) {
                    throw new IOException(fleet.pending() + " MachineDeployments are not published; see " + folder);
                }
                Thread.sleep(BETWEEN_LOOKS);
            }
        }

        @Override
        public void close() {
            fleet.close();
        }
    }
}
