package io.osmhub.core.lint;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.lint.ContentChecks.ContentFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ContentFormatTest {
    @Test
    void readsTomlAsContainerdWritesIt() {
        String text =
                "version = 3\n[plugins.\"io.containerd.cri.v1.images\".registry]\nconfig_path = '/etc/containerd/certs.d'\n";

        assertThat(ContentFormat.TOML.check(text)).isEmpty();
    }

    @Test
    void namesTheLineOfATomlError() {
        List<ContentFormat.FormatError> errors = ContentFormat.TOML.check("a = 1\nb = c\n");

        assertThat(errors).singleElement().satisfies(error -> {
            assertThat(error.line()).isEqualTo(2);
            assertThat(error.message()).doesNotContain("toml:");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{a = "})
    void survivesDeepNesting(String open) {
        assertThat(ContentFormat.TOML.check("a = " + open.repeat(20_000))).hasSize(1);
    }
}
