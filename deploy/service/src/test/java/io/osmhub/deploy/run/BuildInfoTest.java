package io.osmhub.deploy.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BuildInfoTest {
    @Test
    void classesInFoldersAreEqualToNoOthers() {
        BuildInfo unknown = new BuildInfo("1.2.3", "unknown");
        BuildInfo release = new BuildInfo("1.2.3", "abc");

        assertThat(unknown.renderingVersion()).isNotEqualTo(unknown.renderingVersion());
        assertThat(release.renderingVersion()).isEqualTo("1.2.3+abc");
    }
}
