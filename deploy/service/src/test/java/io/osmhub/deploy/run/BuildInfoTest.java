package io.osmhub.deploy.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildInfoTest {
    @TempDir
    private Path folder;

    @Test
    void aReleaseIsItsRevision() {
        assertThat(new BuildInfo("1.2.3", "abc").renderingVersion()).isEqualTo("1.2.3+abc");
    }

    @Test
    void anArchiveIsItsContentAndAFolderIsEqualToNoOther() throws IOException {
        Path archive = Files.writeString(folder.resolve("core.jar"), "one");
        String first = BuildInfo.archiveHash(archive);

        assertThat(BuildInfo.archiveHash(archive)).isEqualTo(first);
        assertThat(BuildInfo.archiveHash(Files.writeString(archive, "two"))).isNotEqualTo(first);
        assertThat(BuildInfo.archiveHash(folder)).isNotEqualTo(BuildInfo.archiveHash(folder));
    }
}
