package io.osmhub.core.lint;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.lint.ContentChecks.ContentError;
import org.junit.jupiter.api.Test;

/** Keys and types of user-data documents. */
final class UserDataSchemaTest {
    @Test
    void findsNothingInARightDocument() {
        assertThat(ContentChecks.checkDocument("""
                        #cloud-config
                        hostname: "<MACHINE_NAME>"
                        ssh_pwauth: false
                        ssh_authorized_keys:
                        write_files:
                        - path: '/etc/a'
                          permissions: '0644'
                          encoding: b64
                          content: |-
                            YQ==
                        runcmd:
                        - systemctl daemon-reload
                        - [sh, -c, "true"]
                        -
                        packages: [jq]
                        """)).isEmpty();
    }

    @Test
    void findsUnknownKeysAndSuggestsKnownOnes() {
        assertThat(ContentChecks.checkDocument("#cloud-config\nwrite_file: []\nrh_subscription: {usernam: a}\n"))
                .extracting(error -> error.violation().severity() + " " + error.field() + " "
                        + error.violation().cure())
                .containsExactly(
                        "WARNING write_file did you mean write_files?",
                        "WARNING rh_subscription.usernam did you mean username?");
    }

    @Test
    void findsWrongTypes() {
        assertThat(ContentChecks.checkDocument("""
                        #cloud-config
                        package_upgrade: "yes"
                        runcmd: reboot
                        bootcmd:
                        - echo a: b
                        - 1
                        write_files:
                        - permissions: '0999'
                          path: relative
                          encoding: base65
                        """))
                .extracting(ContentError::field)
                .containsExactlyInAnyOrder(
                        "package_upgrade",
                        "runcmd",
                        "bootcmd[0]",
                        "bootcmd[1]",
                        "write_files[0].path",
                        "write_files[0].permissions",
                        "write_files[0].encoding");
    }

    @Test
    void isToldByItsFirstLine() {
        assertThat(UserDataSchema.of("/a", "#cloud-config\na: b")).isEqualTo(UserDataSchema.CLOUD_CONFIG);
        assertThat(UserDataSchema.of("/a", "#cloud-config-archive\n")).isNull();
        assertThat(UserDataSchema.of("/a.json", "{\"a\": 1}")).isNull();
        assertThat(UserDataSchema.of("/a.ign", "{}")).isEqualTo(UserDataSchema.IGNITION);
    }

    @Test
    void onlyErrorsWithWhichNothingIsWrittenStopNodes() {
        assertThat(ContentChecks.checkDocument(
                        "#cloud-config\nwrite_files: [{path: /a, content: [1]}, 2]\nruncmd: a\n"))
                .extracting(error -> error.stops() + " " + error.field())
                .containsExactly("true write_files[0].content", "true write_files[1]", "false runcmd");
        assertThat(ContentChecks.checkDocument("#cloud-config\n- a\n"))
                .singleElement()
                .matches(ContentError::stops);
    }

    @Test
    void findsNothingInARightIgnitionConfig() {
        assertThat(ContentChecks.checkDocument("""
                        {"ignition": {"version": "2.3.0"}, "networkd": {}, "passwd": {"users": [{"name": "core"}]},
                         "storage": {"files": [{"filesystem": "root", "path": "/a", "mode": 420,
                           "contents": {"source": "data:,a"}}]},
                         "systemd": {"units": [{"name": "a.service", "contents": "[Unit]\\n"}]}}
                        """)).isEmpty();
    }

    @Test
    void findsWhatIgnitionRefuses() {
        assertThat(ContentChecks.checkDocument("""
                        {"ignition": {"version": "1"}, "sytemd": {},
                         "storage": {"files": [{"path": "a", "mode": 9999, "contents": "text"}, {}]},
                         "systemd": {"units": [{"name": "a.svc", "contents": "bare"}]}, "passwd": {"users": {}}}
                        """))
                .extracting(ContentError::field)
                .containsExactlyInAnyOrder(
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
    void whatIsNotJsonIsOneError() {
        assertThat(ContentChecks.checkDocument("[]")).hasSize(1);
        assertThat(ContentChecks.checkDocument("{")).hasSize(1);
    }
}
