package io.osmhub.deploy.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.airgap.Mirrors;
import io.osmhub.core.airgap.NodeDownload;
import io.osmhub.core.airgap.NodeDownload.DownloadKind;
import io.osmhub.core.lint.DownloadInventory;
import io.osmhub.core.lint.DownloadInventory.Entry;
import io.osmhub.core.lint.Linter;
import io.osmhub.core.lint.MatrixFilter;
import io.osmhub.core.lint.MatrixFilter.KubernetesVersions;
import io.osmhub.core.lint.ScriptChecker;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.settings.Setting;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.deploy.config.InputError;
import io.osmhub.deploy.fleet.CommandFailure;
import io.osmhub.deploy.fleet.ObjectPrinter;
import io.osmhub.deploy.fleet.OutputDirectory;
import io.osmhub.deploy.fleet.OutputDirectory.OutputFile;
import io.osmhub.deploy.fleet.TextTable;
import io.osmhub.deploy.lint.LintInput;
import io.osmhub.deploy.render.OfflineRenderRequest;
import io.osmhub.deploy.render.OfflineRenderer;
import io.osmhub.tenancy.catalog.BundledProfile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hub airgap}: lists what nodes download, and prepares a folder with it. */
@Command(
        name = "airgap",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "list|bundle",
        description = "List what nodes download, and bundle it for clusters without internet.",
        subcommands = {AirGapCommand.ListDownloads.class, AirGapCommand.Bundle.class})
final class AirGapCommand extends CommandGroup {
    /** What is rendered. */
    static final class Inputs {
        @Option(
                names = "--osp",
                paramLabel = "FILE",
                description = "File or directory with profiles, or - for standard input; may be repeated"
                        + " (default: the shipped profiles).")
        private List<String> profiles = List.of();

        @Option(
                names = {"-m", "--machine-deployment"},
                paramLabel = "FILE",
                description = "Render one profile for this MachineDeployment only, with its exact kubelet version"
                        + " (default: all cloud providers and Kubernetes versions).")
        private @Nullable String machineDeployment;

        @Option(
                names = "--settings",
                paramLabel = "FILE",
                description = "The tenant's settings: a WorkerCluster, or only the fields of its spec.")
        private @Nullable String settings;

        @Option(
                names = "--matrix",
                paramLabel = "NAME",
                split = ",",
                description =
                        "Render only these operating systems, cloud providers and Kubernetes minor versions, in any order.")
        private List<String> matrix = List.of();

        /** Settings that only say that nodes have no internet. */
        static Provisioning airGapped() {
            return new LayeredSettings(SettingsLayer.EMPTY.with(Setting.AIR_GAPPED, true), SettingsLayer.EMPTY)
                    .toTenantSettings()
                    .provisioning();
        }

        /** The combinations of {@code --matrix}. */
        static MatrixFilter filter(List<String> matrix) {
            try {
                return MatrixFilter.of(matrix);
            } catch (IllegalArgumentException e) {
                throw CommandFailure.unusable("--matrix: " + e.getMessage());
            }
        }

        private List<DownloadInventory> read(Provisioning provisioning, Terminal terminal) {
            MatrixFilter choice = filter(matrix);
            Linter linter = new Linter(ScriptChecker.NONE, System::nanoTime);
            Linter.AirGap airGap = new Linter.AirGap(provisioning, BundledProfile::declaredDownloads);
            List<DownloadInventory> inventories = new ArrayList<>();
            try {
                if (machineDeployment != null) {
                    inventories.add(ofMachineDeployment(machineDeployment, terminal));
                } else if (profiles.isEmpty()) {
                    BundledProfile.all()
                            .forEach(profile -> inventories.add(linter.downloads(profile.profile(), choice, airGap)));
                } else {
                    LintInput input = LintInput.read(profiles, terminal.in());
                    if (!input.refused().isEmpty()) {
                        throw CommandFailure.unusable(input.refused().getFirst());
                    }
                    for (LintInput.Text text : input.texts()) {
                        if (!text.found() || text.text().contains("OperatingSystemProfile")) {
                            inventories.addAll(linter.downloads(text.name(), text.text(), choice, airGap));
                        }
                    }
                }
            } catch (TenantMistake e) {
                throw CommandFailure.unusable(
                        e.findings().stream()
                                .map(finding -> InputError.of(
                                        finding.object().isNone()
                                                ? "--osp"
                                                : finding.object().toString(),
                                        finding))
                                .toList(),
                        ", nothing was rendered");
            }
            inventories.removeIf(inventory -> inventory.renderings() == 0);
            if (inventories.isEmpty()) {
                throw CommandFailure.unusable(
                        "no profile supports this combination, so nothing was rendered; use values that the profiles support");
            }
            return inventories;
        }

        private DownloadInventory ofMachineDeployment(String file, Terminal terminal) {
            if (profiles.size() != 1) {
                throw CommandFailure.unusable("-m requires the profile's file: add one --osp FILE");
            }
            return OfflineRenderer.render(OfflineRenderRequest.of(profiles.getFirst(), file, settings), terminal.in())
                    .files()
                    .downloads(BundledProfile::declaredDownloads);
        }
    }

    /** {@code hub airgap list}. */
    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = {
                "List every URL, package source, package and image that nodes of the shipped profiles would contact, with the"
                        + " setting that redirects it to a mirror or proxy.",
                "In other profiles, the URLs and the pause image of rendered files are found by pattern. One with variables"
                        + " of the shell, and a download without a URL, are listed as unresolved."
            },
            footer = {
                "",
                "Examples:",
                "  hub airgap list --matrix ubuntu,aws,1.34",
                "  hub airgap list --osp osp.yaml --settings tenant.yaml",
                "Exit codes: 0 listed, 1 unresolved downloads, 2 errors."
            })
    static final class ListDownloads extends TerminalCommand {
        @Mixin
        private final Inputs inputs = new Inputs();

        @Option(
                names = {"-o", "--output"},
                paramLabel = "FORMAT",
                defaultValue = "table",
                description = "Output format: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
        private LintCommand.LintFormat output = LintCommand.LintFormat.table;

        @Override
        public Integer call() {
            Provisioning settings = OfflineRenderer.readSettings(inputs.settings, terminal.in());
            List<DownloadInventory> inventories = inputs.read(settings, terminal);
            switch (output) {
                case json, yaml -> terminal.out().println(output.of(manifest(inventories, settings)));
                case table ->
                    rows(inventories, new Mirrors(settings))
                            .lines(true, false, 0)
                            .forEach(terminal.out()::println);
            }
            return unresolved(inventories, terminal) ? ExitCode.FOUND_SOMETHING : ExitCode.OK;
        }

        private record Row(DownloadInventory inventory, Entry entry) {}

        private static TextTable<?> rows(List<DownloadInventory> inventories, Mirrors mirrors) {
            List<Row> rows = new ArrayList<>();
            inventories.forEach(inventory -> inventory.entries().forEach(entry -> rows.add(new Row(inventory, entry))));
            return new TextTable<>(rows)
                    .text("PROFILE", row -> row.inventory().profile())
                    .text("KUBERNETES", row -> versions(row.entry()))
                    .text("KIND", row -> row.entry().download().kind().wireName())
                    .text("DOWNLOAD", row -> row.entry().download().value())
                    .text("MIRROR", row -> {
                        String setting = mirrors.settingOf(row.entry().download());
                        return setting == null ? "none" : setting.isEmpty() ? "-" : setting;
                    })
                    .text("FILE", row -> {
                        NodeDownload download = row.entry().download();
                        return download.line() == 0 ? download.file() : download.file() + ":" + download.line();
                    });
        }
    }

    /** {@code hub airgap bundle}. */
    @Command(
            name = "bundle",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = {
                "Write a folder from which a machine with internet fetches what nodes download: manifest.json, lists"
                        + " of files, packages and images, and the script fetch.sh.",
                "Nothing is downloaded here. Checksums that publishers offer are checked by the script; others are"
                        + " recorded when a file is fetched for the first time."
            },
            footer = {"", "Exit codes: 0 written, 1 written with unresolved downloads, 2 errors."})
    static final class Bundle extends TerminalCommand {
        @Parameters(
                paramLabel = "FOLDER",
                description = "Folder to write into; files that were fetched there are kept.")
        @SuppressWarnings("NullAway.Init") // set by picocli before call
        private Path folder;

        @Mixin
        private final Inputs inputs = new Inputs();

        @Override
        public Integer call() {
            Provisioning settings = OfflineRenderer.readSettings(inputs.settings, terminal.in());
            List<DownloadInventory> inventories = inputs.read(settings, terminal);
            List<OutputFile> files = List.of(
                    file("manifest.json", manifest(inventories, settings) + "\n"),
                    file("urls.tsv", urls(inventories)),
                    file("images.txt", lines(values(inventories, DownloadKind.IMAGE))),
                    file("fetch.sh", script()));
            List<OutputFile> packages = new ArrayList<>();
            packages(inventories).forEach((system, names) -> packages.add(file(system + ".txt", lines(names))));
            new OutputDirectory(folder).write(files);
            new OutputDirectory(folder.resolve("packages")).write(packages);
            terminal.err()
                    .println(folder + ": "
                            + values(inventories, DownloadKind.URL).size() + " URLs, "
                            + packages.size() + " lists of packages, "
                            + values(inventories, DownloadKind.IMAGE).size()
                            + " images; run bash fetch.sh in it on a machine with internet");
            return unresolved(inventories, terminal) ? ExitCode.FOUND_SOMETHING : ExitCode.OK;
        }

        private static OutputFile file(String name, String text) {
            return new OutputFile(name, text, false, "");
        }

        private static String script() {
            try (InputStream script = AirGapCommand.class.getResourceAsStream("airgap-fetch.sh")) {
                return new String(Objects.requireNonNull(script).readAllBytes(), UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Names of packages by operating system and version, as {@code /etc/os-release} has them. */
        private static SortedMap<String, SortedSet<String>> packages(List<DownloadInventory> inventories) {
            SortedMap<String, SortedSet<String>> packages = new TreeMap<>();
            for (DownloadInventory inventory : inventories) {
                String system =
                        switch (inventory.operatingSystem()) {
                            case "rockylinux" -> "rocky";
                            case "amzn2", "amzn2023" -> "amzn";
                            default -> inventory.operatingSystem();
                        };
                // Enterprise distributions have one repository for each major version.
                String version = system.equals("ubuntu")
                        ? inventory.version()
                        : inventory.version().split("\\.", 2)[0];
                SortedSet<String> names = values(List.of(inventory), DownloadKind.PACKAGE);
                if (!names.isEmpty()) {
                    packages.computeIfAbsent(system + "-" + version, key -> new TreeSet<>())
                            .addAll(names);
                }
            }
            return packages;
        }

        /** URL, path in the folder, and path of the publisher's checksum if there is one. */
        private static String urls(List<DownloadInventory> inventories) {
            SortedSet<String> lines = new TreeSet<>();
            for (DownloadInventory inventory : inventories) {
                for (Entry entry : inventory.entries()) {
                    if (entry.download().kind() == DownloadKind.URL) {
                        lines.add(entry.download().value() + "\t"
                                + path(entry.download().value()) + "\t"
                                + (entry.checksum().endsWith(".sha256") ? path(entry.checksum()) : ""));
                    }
                }
            }
            return lines(lines);
        }
    }

    private static String lines(SortedSet<String> lines) {
        StringBuilder text = new StringBuilder();
        lines.forEach(line -> text.append(line).append('\n'));
        return text.toString();
    }

    private static SortedSet<String> values(List<DownloadInventory> inventories, DownloadKind kind) {
        SortedSet<String> values = new TreeSet<>();
        inventories.forEach(inventory -> inventory.entries().stream()
                .map(Entry::download)
                .filter(download -> download.kind() == kind)
                .forEach(download -> values.add(download.value())));
        return values;
    }

    /** Where a URL is stored below the folder: its host and path, so that a web server can stand in for the host. */
    private static String path(String url) {
        String rest = url.substring(url.indexOf("://") + 3)
                .replaceAll("[^A-Za-z0-9._/+@=-]", "_")
                .replace("..", "_");
        return "files/" + (rest.endsWith("/") || !rest.contains("/") ? rest + "/index" : rest);
    }

    /** {@code 1.31 to 1.37} if all in between are needed. */
    private static String versions(Entry entry) {
        List<String> versions = entry.kubernetesVersions();
        int first = KubernetesVersions.MINORS.indexOf(versions.getFirst());
        return versions.size() > 2
                        && first >= 0
                        && versions.equals(KubernetesVersions.MINORS.subList(
                                first, Math.min(KubernetesVersions.MINORS.size(), first + versions.size())))
                ? versions.getFirst() + " to " + versions.getLast()
                : String.join(", ", versions);
    }

    private static boolean unresolved(List<DownloadInventory> inventories, Terminal terminal) {
        boolean found = false;
        for (DownloadInventory inventory : inventories) {
            for (Entry entry : inventory.entries()) {
                NodeDownload download = entry.download();
                if (download.kind() == DownloadKind.UNRESOLVED) {
                    found = true;
                    terminal.err()
                            .println("note: " + inventory.profile() + ", " + download.file() + " line "
                                    + download.line() + ": unresolved: " + download.value());
                }
            }
        }
        return found;
    }

    /** All inventories, as JSON. */
    private static String manifest(List<DownloadInventory> inventories, Provisioning settings) {
        Mirrors mirrors = new Mirrors(settings);
        List<DownloadManifest> manifests = inventories.stream()
                .map(inventory -> new DownloadManifest(
                        inventory.profile(),
                        inventory.operatingSystem(),
                        inventory.version(),
                        inventory.entries().stream()
                                .map(entry -> ListedDownload.of(entry, mirrors))
                                .toList()))
                .toList();
        return ObjectPrinter.json(Map.of("profiles", manifests));
    }

    /** The downloads of one profile, as the manifest lists them. */
    private record DownloadManifest(
            String profile, String operatingSystem, String operatingSystemVersion, List<ListedDownload> downloads) {}

    private record ListedDownload(
            String kind,
            String value,
            @Nullable String path,
            @Nullable String checksum,
            @Nullable String mirror,
            List<String> kubernetesVersions,
            List<String> cloudProviders,
            String file,
            @Nullable Integer line) {
        static ListedDownload of(Entry entry, Mirrors mirrors) {
            NodeDownload download = entry.download();
            boolean url = download.kind() == DownloadKind.URL;
            String mirror = mirrors.settingOf(download);
            return new ListedDownload(
                    download.kind().wireName(),
                    download.value(),
                    url ? AirGapCommand.path(download.value()) : null,
                    !url ? null : entry.checksum().isEmpty() ? "recorded at fetch" : entry.checksum(),
                    mirror == null || mirror.isEmpty() ? null : mirror,
                    entry.kubernetesVersions(),
                    entry.cloudProviders(),
                    download.file(),
                    download.line() > 0 ? download.line() : null);
        }
    }
}
