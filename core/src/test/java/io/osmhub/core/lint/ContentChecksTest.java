package io.osmhub.core.lint;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.lint.ContentChecks.ContentError;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ContentChecksTest {
    private static List<ContentError> check(String toml) {
        return ContentChecks.check(ScriptChecker.NONE, false, "/a.toml", toml, "");
    }

    @Test
    void readsTomlAsContainerdWritesIt() {
        String text =
                "version = 3\n[plugins.\"io.containerd.cri.v1.images\".registry]\nconfig_path = '/etc/containerd/certs.d'\n";

        assertThat(check(text)).isEmpty();
    }

    @Test
    void namesTheLineOfATomlError() {
        List<ContentError> errors = check("a = 1\nb = c\n");

        assertThat(errors).singleElement().satisfies(error -> {
            assertThat(error.line()).isEqualTo(2);
            assertThat(error.message()).doesNotContain("toml:");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{a = "})
    void survivesDeepNesting(String open) {
        assertThat(check("a = " + open.repeat(20_000))).hasSize(1);
    }
}
