package io.osmhub.core.lint;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Keys and types of cloud-config documents. */
final class CloudConfigValidatorTest {
    @Test
    void findsNothingInARightDocument() {
        assertThat(CloudConfigValidator.check("""
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
        assertThat(CloudConfigValidator.check("#cloud-config\nwrite_file: []\nrh_subscription: {usernam: a}\n"))
                .extracting(fault -> fault.severity() + " " + fault.path() + " " + fault.cure())
                .containsExactly(
                        "WARNING write_file did you mean write_files?",
                        "WARNING rh_subscription[usernam] did you mean username?");
    }

    @Test
    void findsWrongTypes() {
        assertThat(CloudConfigValidator.check("""
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
                .extracting(CloudConfigValidator.CloudConfigError::path)
                .containsExactly(
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
        assertThat(CloudConfigValidator.isCloudConfig("#cloud-config\na: b")).isTrue();
        assertThat(CloudConfigValidator.isCloudConfig("#cloud-config-archive\n"))
                .isFalse();
    }
}
