package io.osmhub.bench;

import io.osmhub.bench.BenchHubProcess.HubSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./hub bench train}: creates the AOT cache of an unpacked distribution. */
@Command(
        name = "train",
        description =
                "Create the AOT cache of an unpacked distribution by serving simulated clusters, for a faster start.",
        hidden = true, // called by ./hub dist
        mixinStandardHelpOptions = true)
final class TrainCommand implements Callable<Integer> {
    @Option(
            names = "--home",
            paramLabel = "FOLDER",
            required = true,
            description = "The unpacked distribution; its lib/hub.aot is written.")
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private Path home;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path checkout = Path.of(System.getProperty("osmhub.root", "."));
        Path folder = Files.createTempDirectory(Files.createDirectories(checkout.resolve("target")), "training-");
        Path cache = home.toAbsolutePath().resolve("lib/hub.aot");
        try (Training training = new Training(home.toAbsolutePath().resolve("bin/hub"), checkout, folder)) {
            training.makeCache(cache);
        }
        System.err.printf("AOT cache  %,d bytes in %s%n", Files.size(cache), cache);
        return 0;
    }

    /**
     * Creates the AOT cache of an installed hub (JEP 483, 514, 515): lets the hub serve a few simulated clusters and their page in the
     * console while Java records loaded classes and executed methods. Records the second of two starts, which finds the objects published by the first.
     */
    static final class Training implements AutoCloseable {
        private static final int CLUSTERS = 12;
        private static final int MACHINE_DEPLOYMENTS = 3;
        private static final int PAGES = 20;
        private static final Duration LONGEST_WAIT = Duration.ofMinutes(3);
        private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);
        /** Statuses are written after everything else. */
        private static final Duration AFTERWARDS = Duration.ofSeconds(3);

        private final Path program;
        private final Path folder;
        private final BenchFleet fleet;
        private final HubSetup setup;
        private final ConsoleClient console;

        /**
         * Prepares the clusters.
         *
         * @param program {@code bin/hub} of an unpacked distribution
         * @param folder an empty folder for the hub's files
         */
        Training(Path program, Path checkout, Path folder) throws IOException {
            this.program = program;
            this.folder = folder;
            this.fleet = BenchFleet.build(checkout);
            this.setup = HubSetup.of(fleet, folder);
            this.console = ConsoleClient.of(setup, fleet);
        }

        /**
         * Writes or replaces the cache.
         *
         * @throws IOException if the hub fails or Java does not write the cache, with the end of the log
         */
        void makeCache(Path cache) throws IOException, InterruptedException {
            Files.deleteIfExists(cache);
            for (int i = 0; i < CLUSTERS; i++) {
                fleet.addTenant(MACHINE_DEPLOYMENTS);
            }
            serve("", "first.log");
            Path recorded = folder.resolve("recorded");
            serve("-XX:AOTMode=record -XX:AOTConfiguration=" + recorded, "recorded.log");
            if (!Files.exists(recorded)) {
                throw new IOException("Java recorded nothing; see " + folder.resolve("recorded.log"));
            }
            String create = "-XX:AOTMode=create -XX:AOTConfiguration=" + recorded + " -XX:AOTCache=" + cache;
            try (BenchHubProcess process =
                    BenchHubProcess.start(setup.command(program), create, folder.resolve("create.log"))) {
                process.awaitExit(LONGEST_WAIT);
            }
            if (!Files.exists(cache)) {
                throw new IOException("Java created no cache; see " + folder.resolve("create.log"));
            }
        }

        private void serve(String javaOptions, String log) throws IOException, InterruptedException {
            try (BenchHubProcess hub =
                    BenchHubProcess.start(setup.command(program), javaOptions, folder.resolve(log))) {
                hub.awaitReady(setup.healthPort());
                awaitPublished(hub);
                for (int i = 0; i < CLUSTERS; i++) {
                    fleet.create(i, log.replace('.', '-'));
                }
                awaitPublished(hub);
                // Otherwise the first page after a start would take twice as long.
                String cookie = console.signIn(hub);
                for (int i = 0; i < PAGES; i++) {
                    console.readFleet(hub, cookie);
                }
                Thread.sleep(AFTERWARDS);
                // At exit, recording writes a file of about 80 MB.
                hub.stop(LONGEST_WAIT);
            }
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
