package io.osmhub.deploy.profiles.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Ignition applies what osp-flatcar publishes to a root folder, stage by stage as in a machine's initrd: first the bootstrap document and
 * then, as in the next boot, the provisioning document. After each, systemd enables units by the preset that Ignition wrote.
 */
final class IgnitionStagesE2E {
    private static final int CORE = 500;

    /** What is in the image: its user. */
    private static final Map<String, String> IMAGE = Map.of(
            "etc/passwd",
                    "root:x:0:0:root:/root:/bin/bash\ncore:x:%1$d:%1$d:core:/home/core:/bin/bash\n".formatted(CORE),
            "etc/group", "root:x:0:\ncore:x:%d:\n".formatted(CORE),
            "etc/shadow", "root:*:19000:0:99999:7:::\ncore:*:19000:0:99999:7:::\n");

    private static Ignition ignition;
    private static ShippedProfile flatcar;

    @BeforeAll
    static void locate() {
        assumeTrue(System.getProperty("user.name").equals("root"), "Ignition sets owners of files, so it needs root");
        ignition = Ignition.locate();
        flatcar = ShippedProfile.shipped().stream()
                .filter(shipped -> shipped.name().equals("osp-flatcar"))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @EnumSource
    void bothDocumentsAreAppliedCompletely(TenantVariant variant) throws IOException {
        Path folder = Folders.recreate(Path.of("target/ignition", variant.name()));
        Path root = image(folder.resolve("root"));
        ProfileCombination point =
                new ProfileCombination(flatcar, "openstack", flatcar.minors().getLast(), variant);
        RenderMatrix.DocumentPair pair = new RenderMatrix().render(point).orElseThrow();

        for (MachineDocument document : pair.both()) {
            Path work = Files.createDirectories(folder.resolve(document.phase().label()));
            ignition.apply(document.text(), root, work);
            ignition.presetUnits(root);

            assertFiles(document, root);
            assertUnitsAndUsers(new ObjectMapper().readTree(document.text()), root);
            // A unit of the bootstrap document deletes itself before the reboot.
            Files.deleteIfExists(root.resolve("etc/systemd/system/bootstrap.service"));
        }
    }

    private static Path image(Path root) throws IOException {
        for (Map.Entry<String, String> file : IMAGE.entrySet()) {
            Path path = root.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
        Ignition.disableLabels(root);
        Path home = Files.createDirectories(root.resolve("home/core"));
        Files.setAttribute(home, "unix:uid", CORE);
        Files.setAttribute(home, "unix:gid", CORE);
        return root;
    }

    private static void assertFiles(MachineDocument document, Path root) throws IOException {
        assertThat(document.files()).isNotEmpty();
        for (MachineFile file : document.files()) {
            Path written = root.resolve(file.path().substring(1));
            assertThat(Files.readString(written)).as(file.path()).isEqualTo(file.content());
            List<Integer> found = new ArrayList<>();
            for (String attribute : List.of("unix:mode", "unix:uid", "unix:gid")) {
                found.add((int) Files.getAttribute(written, attribute) & 07777);
            }
            assertThat(found).as("mode and owners of " + file.path()).containsExactly(file.mode(), 0, 0);
        }
    }

    private static void assertUnitsAndUsers(JsonNode document, Path root) throws IOException {
        List<String> enabled = new ArrayList<>();
        for (JsonNode unit : document.at("/systemd/units")) {
            if (unit.path("enabled").asBoolean()) {
                enabled.add(unit.path("name").asText());
            }
        }
        assertThat(enabled).isNotEmpty().allSatisfy(unit -> assertThat(
                        Files.readSymbolicLink(root.resolve("etc/systemd/system/multi-user.target.wants")
                                .resolve(unit)))
                .hasToString("/etc/systemd/system/" + unit));
        for (JsonNode user : document.at("/passwd/users")) {
            Path keys = root.resolve("home/core/.ssh/authorized_keys.d/ignition");
            assertThat(user.path("name").asText()).isEqualTo("core");
            assertThat(Files.readAllLines(keys))
                    .containsAll(user.path("sshAuthorizedKeys")
                            .valueStream()
                            .map(JsonNode::asText)
                            .toList());
            assertThat(Files.getAttribute(keys, "unix:uid")).isEqualTo(CORE);
        }
    }
}
