package io.osmhub.deploy.profiles.matrix;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.airgap.NodeDownload;
import io.osmhub.core.airgap.NodeDownload.DownloadKind;
import io.osmhub.core.lint.DownloadInventory;
import io.osmhub.core.osc.OperatingSystemConfig;
import io.osmhub.core.render.Renderer;
import io.osmhub.core.template.Sandbox;
import io.osmhub.core.template.Sandbox.RenderLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The list of what nodes of the default profiles download is what their scripts fetch, run with stand-ins for all that fetches. */
final class DeclaredDownloadsTest {
    private static final Path LIST = Path.of(System.getProperty("osmhub.root", "../../.."))
            .resolve("deploy/packaging/profiles/src/main/profiles/downloads.yaml");

    /** Programs that the scripts may really run. All that is neither one of them nor a stand-in succeeds without an effect. */
    private static final List<String> REAL =
            List.of("bash", "cat", "chmod", "cut", "echo", "find", "grep", "mkdir", "mv", "rm", "sha256sum", "xargs");

    /** Each writes what it fetches, with the kind of the download, to the file of FETCHED. */
    private static final Map<String, String> STAND_INS = Map.of(
            "curl",
            """
            url=${!#}
            echo "url $url" >>"$FETCHED"
            while [ "$1" != --output ]; do shift; done
            case $url in
              *.sha256) : | sha256sum >"$2" ;;
              */gpg) echo 'BEGIN PGP PUBLIC KEY' >"$2" ;;
              *) : >"$2" ;;
            esac
            printf 200
            """,
            "apt-get",
            """
            [ "$1" != update ] || [ ! -e "$ROOT/etc/apt/sources.list" ] || echo "package-source repositories of the $SYSTEM image" >>"$FETCHED"
            [ "$1" = install ] || exit 0
            while shift && [ $# != 0 ]; do
              case $1 in -o) shift ;; -*) ;; *) echo "package $1" >>"$FETCHED" ;; esac
            done
            """,
            "dnf",
            """
            [ "$1" = install ] || exit 0
            [[ " $* " = *" --disablerepo=* "* ]] || echo "package-source repositories of the $SYSTEM image" >>"$FETCHED"
            while shift && [ $# != 0 ]; do
              case $1 in -*) ;; *) echo "package $1" >>"$FETCHED" ;; esac
            done
            """,
            "systemctl",
            """
            case "$*" in *mask*update-engine*) echo "masked update-engine" >>"$FETCHED" ;; esac
            """,
            "uname",
            "echo $MACHINE\n",
            "rpm",
            "echo $MAJOR\n");

    private static final Pattern SOURCE = Pattern.compile("^deb (?:\\[[^]]*] )?(\\S+)|^(?:baseurl|gpgkey)=(http\\S+)");

    @TempDir
    Path folder;

    static Stream<Arguments> combinations() {
        return ShippedProfile.shipped().stream().flatMap(profile -> {
            List<String> providers = profile.profile().spec().supportedCloudProviders();
            List<ProfileCombination> points = new ArrayList<>();
            for (String provider : providers) {
                points.add(new ProfileCombination(
                        profile, provider, profile.minors().getLast(), TenantVariant.PLAIN));
            }
            // The versions of the programs are those of all profiles.
            for (String minor : profile.name().equals("osp-ubuntu") ? profile.minors() : List.of("1.34")) {
                points.add(new ProfileCombination(profile, providers.getFirst(), minor, TenantVariant.MIRRORS));
            }
            for (TenantVariant variant :
                    List.of(TenantVariant.AIR_GAP, TenantVariant.AIR_GAP_MIRRORS, TenantVariant.EVERYTHING)) {
                points.add(new ProfileCombination(
                        profile, providers.getFirst(), profile.minors().getFirst(), variant));
            }
            return points.stream().map(point -> Arguments.of(point.label(), point));
        });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("combinations")
    void theScriptsFetchWhatIsDeclared(String label, ProfileCombination point)
            throws IOException, InterruptedException {
        Renderer renderer = new Renderer(new Sandbox.Factory(RenderLimits.DEFAULT, System::nanoTime)::open);
        List<OperatingSystemConfig.File> files =
                renderer.render(point.input()).revealed().provisioningConfig().files();

        SortedSet<String> fetched = new TreeSet<>();
        for (String machine : List.of("x86_64", "aarch64")) {
            fetched.addAll(fetched(point, files, machine));
        }

        List<NodeDownload> declared =
                DownloadInventory.of(point.input(), Files.readString(LIST), renderer).entries().stream()
                        .map(DownloadInventory.Entry::download)
                        .toList();
        boolean updates = !fetched.remove("masked update-engine")
                && point.subject().profile().spec().osName().equals("flatcar");
        assertThat(declared.stream()
                        .filter(it -> it.kind() != DownloadKind.IMAGE
                                && it.kind() != DownloadKind.UPDATE_SERVER
                                && !it.file().equals("rh_subscription"))
                        .map(it -> it.kind().wireName() + " " + it.value()))
                .as(label)
                .containsExactlyInAnyOrderElementsOf(fetched);
        assertThat(declared.stream().anyMatch(it -> it.kind() == DownloadKind.UPDATE_SERVER))
                .isEqualTo(updates);
        String pauseImage = point.variant().settings().containerRuntime().pauseImage();
        assertThat(declared.stream()
                        .filter(it -> it.kind() == DownloadKind.IMAGE)
                        .map(NodeDownload::value))
                .containsExactly(pauseImage.isEmpty() ? "registry.k8s.io/pause" : pauseImage);
    }

    /** Runs all steps but the last, which starts the kubelet, each in a root folder of its own. */
    private SortedSet<String> fetched(ProfileCombination point, List<OperatingSystemConfig.File> files, String machine)
            throws IOException, InterruptedException {
        Path root = folder.resolve(machine);
        for (OperatingSystemConfig.File file : files) {
            write(root.resolve(file.path().substring(1)), inRoot(file.data(), root));
        }
        String system = point.subject().profile().spec().osName();
        write(root.resolve("sys/fs/cgroup/cgroup.controllers"), "");
        write(root.resolve("etc/os-release"), "ID=" + system + "\nVERSION_CODENAME=stable\n");
        write(root.resolve("etc/apt/sources.list"), "");
        Files.createDirectories(root.resolve("etc/apt/sources.list.d"));
        Files.createDirectories(root.resolve("etc/yum.repos.d"));
        Files.createDirectories(root.resolve("etc/pki/rpm-gpg"));
        Path programs = Files.createDirectories(root.resolve("programs"));
        for (String program : REAL) {
            Files.createSymbolicLink(programs.resolve(program), Path.of("/usr/bin", program));
        }
        for (Map.Entry<String, String> standIn : STAND_INS.entrySet()) {
            write(programs.resolve(standIn.getKey()), "#!/bin/bash\n" + standIn.getValue());
        }
        write(root.resolve("functions"), "command_not_found_handle() { :; }\n");
        Path fetched = root.resolve("fetched");
        write(fetched, "");
        try (Stream<Path> steps = Files.list(root.resolve("opt/osm/steps"))) {
            for (Path step : steps.sorted().toList()) {
                if (!step.endsWith("90-join")) {
                    run(
                            step,
                            root,
                            fetched,
                            Map.of(
                                    "SYSTEM", system,
                                    "MACHINE", machine,
                                    "MAJOR",
                                            point.subject()
                                                    .profile()
                                                    .spec()
                                                    .osVersion()
                                                    .split("\\.")[0]));
                }
            }
        }
        SortedSet<String> found = new TreeSet<>(Files.readAllLines(fetched));
        try (Stream<Path> sources = Files.find(
                root.resolve("etc"), 4, (path, attributes) -> path.toString().matches(".*/(apt|yum).*/osm-.*"))) {
            for (Path source : sources.toList()) {
                for (String line : Files.readAllLines(source)) {
                    Matcher address = SOURCE.matcher(line);
                    if (address.find()) {
                        found.add("package-source " + (address.group(1) == null ? address.group(2) : address.group(1)));
                    }
                }
            }
        }
        return found;
    }

    private static String inRoot(String script, Path root) {
        return script.replaceAll("(?<![\\w.}])/(opt|etc|var|usr|run|proc|sys)(?=/)", root + "/$1");
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    /** A step of an image that lacks something in an air gap fails, which fetches nothing. */
    private static void run(Path step, Path root, Path fetched, Map<String, String> machine)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("/bin/bash", step.toString()).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(machine);
        builder.environment().put("PATH", root.resolve("programs").toString());
        builder.environment().put("BASH_ENV", root.resolve("functions").toString());
        builder.environment().put("ROOT", root.toString());
        builder.environment().put("FETCHED", fetched.toString());
        Path output = root.resolve("output");
        Process process = builder.redirectOutput(output.toFile()).start();
        boolean ended = process.waitFor(30, TimeUnit.SECONDS);
        process.destroyForcibly();
        assertThat(ended).as(step + " ends").isTrue();
        String text = Files.readString(output, UTF_8);
        if (process.exitValue() != 0) {
            assertThat(text).as(step.toString()).contains("air-gapped");
        }
    }
}
