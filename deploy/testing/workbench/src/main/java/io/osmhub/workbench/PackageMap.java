package io.osmhub.workbench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/** The product's packages and their charters: the first sentence of each {@code package-info.java}. */
final class PackageMap {
    /** In dependency order: a module may use those before it. */
    private static final List<String> MODULES = List.of(
            "core/go-templates",
            "core",
            "worker-sync",
            "tenancy",
            "api",
            "deploy/packaging/profiles",
            "deploy/service",
            "deploy/cli");

    private static final Pattern CHARTER = Pattern.compile("/\\*\\*(.*?)\\*/", Pattern.DOTALL);
    private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);

    private PackageMap() {}

    /** The table in Markdown, as in docs/architecture.md. */
    static String markdown(Path root) throws IOException {
        StringBuilder table = new StringBuilder("| Package (`io.osmhub.`) | Charter |\n|---|---|\n");
        for (String module : MODULES) {
            for (Path file : packageInfos(root.resolve(module).resolve("src/main/java"))) {
                table.append(row(file));
            }
        }
        return table.toString();
    }

    private static List<Path> packageInfos(Path sources) throws IOException {
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(file -> file.endsWith("package-info.java"))
                    .sorted(Comparator.comparing(file -> String.valueOf(file.getParent())))
                    .toList();
        }
    }

    private static String row(Path packageInfo) throws IOException {
        String text = Files.readString(packageInfo, UTF_8);
        Matcher name = PACKAGE.matcher(text);
        Matcher charter = CHARTER.matcher(text);
        if (!name.find() || !charter.find()) {
            throw new IllegalStateException(packageInfo + ": expected a package declaration and Javadoc");
        }
        return "| `" + name.group(1).substring("io.osmhub.".length()) + "` | " + firstSentence(charter.group(1))
                + " |\n";
    }

    private static String firstSentence(String javadoc) {
        String text = javadoc.replaceAll("(?m)^\\s*\\*", "")
                .replaceAll("\\{@(?:code|link)\\s+([^}]*)}", "`$1`")
                .replaceAll("\\s+", " ")
                .strip();
        int end = text.indexOf(". ");
        return end < 0 ? text : text.substring(0, end + 1);
    }

    /** {@code ./hub map}. */
    @Command(
            name = "map",
            description = "Print the packages and their purposes, as in docs/architecture.md.",
            mixinStandardHelpOptions = true)
    static final class PackageMapCommand implements Callable<Integer> {
        @Override
        public Integer call() throws IOException {
            System.out.print(PackageMap.markdown(Path.of(System.getProperty("osmhub.root", "."))));
            return 0;
        }
    }
}
