package io.osmhub.workbench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code ./hub map}. */
@Command(
        name = "map",
        description = "Print the packages and their purposes, as in docs/architecture.md.",
        mixinStandardHelpOptions = true)
final class PackageMapCommand implements Callable<Integer> {
    @Override
    public Integer call() throws IOException {
        System.out.print(PackageMap.markdown(Path.of(System.getProperty("osmhub.root", "."))));
        return 0;
    }
}
