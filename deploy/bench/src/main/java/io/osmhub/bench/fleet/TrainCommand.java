package io.osmhub.bench.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./hub bench train}: creates the AOT cache of an unpacked distribution. */
@Command(
        name = "train",
        description =
                "Create the AOT cache of an unpacked distribution by serving simulated clusters, for a faster start.",
        mixinStandardHelpOptions = true)
public final class TrainCommand implements Callable<Integer> {
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
}
