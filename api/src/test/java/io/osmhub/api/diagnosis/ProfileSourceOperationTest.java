package io.osmhub.api.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ProfileSourceOperationTest {
    private static final Path PROFILES =
            Path.of(System.getProperty("osmhub.root", "..")).resolve("deploy/packaging/manifests/profiles");

    static List<Path> shippedProfiles() throws IOException {
        try (Stream<Path> files = Files.list(PROFILES)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .toList();
        }
    }

    /** Otherwise a preview that starts with the stored profile compares another one. */
    @ParameterizedTest
    @MethodSource("shippedProfiles")
    void theTextForEditingIsReadAsTheStoredProfile(Path file) throws IOException {
        ObjectNode stored = (ObjectNode) new YAMLMapper().readTree(Files.readString(file));
        stored.withObjectProperty("metadata").put("uid", "u-1").put("resourceVersion", "7");
        stored.withObjectProperty("metadata")
                .withObjectProperty("annotations")
                .put("kubectl.kubernetes.io/last-applied-configuration", "{}");

        String text = ProfileSourceOperation.text(stored);

        OperatingSystemProfile edited = ProfileReader.strict()
                .read(YamlDocumentReader.read("edited", text, Reason.SettingsInvalid)
                        .getFirst());
        assertThat(edited)
                .isEqualTo(ProfileReader.stored().read(SourceDocument.of(ProblemObject.input("stored"), stored)));
        assertThat(text).doesNotContain("resourceVersion", "last-applied-configuration");
    }
}
