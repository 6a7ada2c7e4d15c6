package io.osmhub.deploy.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.lint.MatrixFilter.KubernetesVersions;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileContentHash;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.problem.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The manifests that are checked in: what the assembler makes of the sources, under versions that tell them apart. */
class ManifestsTest {
    /** With UPDATE=true manifests are written first, and new versions are added to the list; the diff is the review. */
    private static final boolean UPDATE = Boolean.getBoolean("osmhub.update");

    private static final Path ROOT = Path.of(System.getProperty("osmhub.root", "../../.."));
    private static final Path SOURCES = ROOT.resolve("deploy/packaging/profiles/src/main/profiles");
    private static final Path MANIFESTS = ROOT.resolve("deploy/packaging/manifests/profiles");
    private static final Path VERSIONS = ROOT.resolve("deploy/packaging/profiles/versions.txt");
    private static final String CURE = "run: UPDATE=true ./hub test deploy/packaging/profiles ManifestsTest";

    @Test
    void checkedInManifestsAreWhatTheSourcesGive() throws IOException {
        Map<String, String> assembled = assembled();
        if (UPDATE) {
            for (Map.Entry<String, String> file : assembled.entrySet()) {
                Files.writeString(MANIFESTS.resolve(file.getKey()), file.getValue());
            }
        }

        assertThat(checkedIn()).as(CURE).isEqualTo(assembled);
    }

    @Test
    void contentDoesNotChangeUnderAVersionThatIsOut() throws IOException {
        Map<String, String> released = new TreeMap<>();
        for (String line : Files.readAllLines(VERSIONS)) {
            if (!line.startsWith("#")) {
                int hash = line.lastIndexOf(' ');
                released.put(line.substring(0, hash), line.substring(hash + 1));
            }
        }
        Map<String, String> now = new TreeMap<>();
        for (ProfileAssembler.Assembled assembled : new ProfileAssembler(SOURCES).profiles()) {
            OperatingSystemProfile profile = read(assembled);
            now.put(profile.name() + " " + profile.spec().version(), ProfileContentHash.of(profile.spec()));
        }
        if (UPDATE) {
            now.forEach(released::putIfAbsent);
            write(released);
        }

        Map<String, String> recorded = new TreeMap<>(released);
        recorded.keySet().retainAll(now.keySet());
        assertThat(recorded)
                .as(
                        "a changed profile needs a new version in deploy/packaging/profiles/src/main/profiles/os; a new version: "
                                + CURE)
                .isEqualTo(now);
    }

    @Test
    void everyProfileServesEverySupportedKubernetesVersion() throws IOException {
        assertThat(KubernetesVersions.range()).isEqualTo("1.31 to 1.37");
        for (ProfileAssembler.Assembled assembled : new ProfileAssembler(SOURCES).profiles()) {
            String constraint = read(assembled).spec().supportedKubernetesVersions();

            assertThat(KubernetesVersions.matching(constraint))
                    .as("%s, supportedKubernetesVersions: %s", assembled.name(), constraint)
                    .isEqualTo(KubernetesVersions.MINORS);
        }
    }

    private static void write(Map<String, String> released) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("# Each version of a default profile that was checked in, and the hash of its content. Lines are only"
                + " added.");
        released.forEach((version, hash) -> lines.add(version + " " + hash));
        Files.write(VERSIONS, lines);
    }

    static OperatingSystemProfile read(ProfileAssembler.Assembled assembled) {
        return ProfileReader.strict()
                .read(YamlDocumentReader.read(assembled.name() + ".yaml", assembled.yaml(), Reason.SettingsInvalid)
                        .getFirst());
    }

    /** The files of the folder, with the index that the hub reads: a folder of a program cannot be listed. */
    private static Map<String, String> assembled() throws IOException {
        Map<String, String> files = new TreeMap<>();
        for (ProfileAssembler.Assembled profile : new ProfileAssembler(SOURCES).profiles()) {
            files.put(profile.name() + ".yaml", profile.yaml());
        }
        files.put("index.txt", files.keySet().stream().map(name -> name + "\n").collect(Collectors.joining()));
        return files;
    }

    private static Map<String, String> checkedIn() throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> found = Files.list(MANIFESTS)) {
            for (Path file : found.toList()) {
                files.put(String.valueOf(file.getFileName()), Files.readString(file));
            }
        }
        return files;
    }
}
