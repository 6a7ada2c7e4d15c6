package io.osmhub.core.lint;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.problem.TenantMistake;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    private static final String DOCUMENT = """
            #cloud-config

            ssh_pwauth: false

            ssh_authorized_keys:
            - 'ssh-ed25519 AAAA'
            write_files:
            - path: '/etc/a'
              permissions: '0644'
              content: |-
                # a text
                - b: [c

            - path: '/etc/b'
              encoding: 'b64'
              content: |-
                YQ==

            runcmd:
            - systemctl daemon-reload
            - [ sh, -c, "true" ]
            """;

    @Test
    void splitsADocumentIntoDocumentsOfOneItem() {
        assertThat(CloudConfigValidator.split(DOCUMENT))
                .hasSize(9)
                .startsWith("#cloud-config\nssh_pwauth: false\n\n", "#cloud-config\nssh_authorized_keys:\n")
                .contains("#cloud-config\nruncmd:\n- systemctl daemon-reload\n")
                .allMatch(CloudConfigValidatorTest::isRight);
    }

    @Test
    void partsAreEqualWhateverTheContentOfAFileIs() {
        String other = DOCUMENT.replace("- b: [c\n", "x: \"{{\n\n          more\n");

        assertThat(other).isNotEqualTo(DOCUMENT);
        assertThat(CloudConfigValidator.split(other)).isEqualTo(CloudConfigValidator.split(DOCUMENT));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "write_files:\n- path: /a\n  content: |\n      a\n    b\n",
                "write_files:\n- path: /a\n  content: |\n    a\n    \u0007\n",
                "write_files:\n- path: /a\n  content: |\n    a\n  \tb\n",
                "write_files:\n- path: \"/a\n   content: |\n     x\n     \" garbage\n  owner: b\"\n",
                "write_files:\n- path: /a\n  content: |\n  b\n"
            })
    void contentThatYamlRejectsIsKept(String text) {
        String document = "#cloud-config\n" + text;

        assertThat(isRight(document)).isFalse();
        assertThat(CloudConfigValidator.split(document)).anyMatch(part -> !isRight(part));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "write_files:\n- path: /a\n",
                "#cloud-config\n a: b\nc: d\n",
                "#cloud-config\nruncmd: []\n---\nruncmd: []\n",
                "#cloud-config\nruncmd: []\n\"runcmd\": []\n",
                "#cloud-config\nruncmd: []\nruncmd : []\n",
                "#cloud-config\nhostname: a\rfqdn: b\n",
                "#cloud-config\nhostname: a\u2028fqdn: b\n"
            })
    void doesNotSplitWhatIsNotOneKeyAfterTheOther(String text) {
        assertThat(CloudConfigValidator.split(text)).isEmpty();
    }

    @Test
    void aDocumentWhosePartsAreRightIsRight() {
        Random random = new Random(7);
        List<String> pieces = List.of(
                "\n",
                " ",
                "  ",
                "- ",
                "'",
                "\"",
                "[",
                "{",
                ": ",
                "a: b\n",
                "- c\n",
                "#",
                "&d ",
                "*d",
                "|",
                ">+\n",
                "?",
                "\t",
                "---\n",
                "<<: ",
                "\u0007",
                "\\",
                "  content: |\n",
                "    content: |\n      d\n      e\n");
        int split = 0;
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder(DOCUMENT);
            for (int edits = 1 + random.nextInt(3); edits > 0; edits--) {
                int at = random.nextInt(text.length());
                if (random.nextBoolean()) {
                    text.insert(at, pieces.get(random.nextInt(pieces.size())));
                } else {
                    text.delete(at, Math.min(text.length(), at + 1 + random.nextInt(4)));
                }
            }
            List<String> parts = CloudConfigValidator.split(text.toString());
            if (!parts.isEmpty() && parts.stream().allMatch(CloudConfigValidatorTest::isRight)) {
                split++;
                assertThat(isRight(text.toString())).as(text.toString()).isTrue();
            }
        }
        assertThat(split).isGreaterThan(1_000);
    }

    private static boolean isRight(String document) {
        try {
            return CloudConfigValidator.check(document).isEmpty();
        } catch (TenantMistake e) {
            return false;
        }
    }
}
