package io.osmhub.core.lint;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The structure of Ignition configs. */
final class IgnitionConfigValidatorTest {
    @Test
    void findsNothingInARightConfig() {
        assertThat(IgnitionConfigValidator.check("""
                        {"ignition": {"version": "2.3.0"}, "networkd": {}, "passwd": {"users": [{"name": "core"}]},
                         "storage": {"files": [{"filesystem": "root", "path": "/a", "mode": 420,
                           "contents": {"source": "data:,a"}}]},
                         "systemd": {"units": [{"name": "a.service", "contents": "[Unit]\\n"}]}}
                        """)).isEmpty();
    }

    @Test
    void findsWhatIgnitionRefuses() {
        assertThat(IgnitionConfigValidator.check("""
                        {"ignition": {"version": "1"}, "sytemd": {},
                         "storage": {"files": [{"path": "a", "mode": 9999, "contents": "text"}, {}]},
                         "systemd": {"units": [{"name": "a.svc", "contents": "bare"}]}, "passwd": {"users": {}}}
                        """))
                .extracting(IgnitionConfigValidator.IgnitionConfigError::path)
                .containsExactly(
                        "sytemd",
                        "ignition.version",
                        "storage.files[0].path",
                        "storage.files[0].mode",
                        "storage.files[0].contents",
                        "storage.files[1].path",
                        "systemd.units[0].name",
                        "systemd.units[0].contents",
                        "passwd.users");
    }

    @Test
    void takesOtherJsonForNone() {
        assertThat(IgnitionConfigValidator.isIgnitionConfig("/a.json", "{\"a\": 1}"))
                .isFalse();
        assertThat(IgnitionConfigValidator.isIgnitionConfig("/a.ign", "{}")).isTrue();
        assertThat(IgnitionConfigValidator.check("[]")).hasSize(1);
    }
}
