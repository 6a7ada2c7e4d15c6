package io.osmhub.core.userdata;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.osc.OperatingSystemConfig.File;
import io.osmhub.core.osc.SystemdUnit;
import io.osmhub.core.userdata.UserDataGenerator.UserDataInput;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Reads a cloud-init document as YAML and checks that it holds what it was made of. */
final class CloudConfigReader {
    private CloudConfigReader() {}

    static void assertHolds(String document, UserDataInput input) {
        assertThat(document).startsWith("#cloud-config\n");
        Map<?, ?> config =
                (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(withoutBlankBlocks(document));
        assertThat(list(config.get("ssh_authorized_keys")))
                .isEqualTo(UserDataGenerator.normalizeKeys(input.config().userSshKeys()));
        List<?> files = list(config.get("write_files"));
        assertThat(files).hasSize(input.config().files().size() + (input.setsHostname() ? 1 : 0));
        for (int i = 0; i < input.config().files().size(); i++) {
            assertHolds((Map<?, ?>) files.get(i), input.config().files().get(i));
        }
        List<?> units = config.get("coreos") instanceof Map<?, ?> coreos ? list(coreos.get("units")) : List.of();
        assertThat(units).hasSize(input.config().units().size());
        for (int i = 0; i < units.size(); i++) {
            assertHolds((Map<?, ?>) units.get(i), input.config().units().get(i));
        }
    }

    private static void assertHolds(Map<?, ?> written, File file) {
        assertThat(written.get("path")).isEqualTo(file.path());
        assertThat(written.get("permissions")).isEqualTo(CloudInitDocument.permissions(file));
        assertThat(written.get("encoding")).isEqualTo(file.encoding().isEmpty() ? null : file.encoding());
        String content = String.valueOf(written.get("content"));
        if (file.encoding().equals("b64")) {
            assertThat(new String(Base64.getDecoder().decode(content), UTF_8)).isEqualTo(file.data());
        } else {
            assertSameLines(content, file.data());
        }
    }

    private static void assertHolds(Map<?, ?> written, SystemdUnit unit) {
        assertThat(written.get("name")).isEqualTo(unit.name());
        assertThat(written.get("enable")).isEqualTo(Boolean.TRUE.equals(unit.enable()));
        assertThat(written.get("mask")).isEqualTo(Boolean.TRUE.equals(unit.mask()));
        String content = unit.content() == null ? "" : unit.content();
        assertSameLines(written.get("content") instanceof String text ? text : "", content);
        List<?> dropIns = list(written.get("drop_ins"));
        assertThat(dropIns).hasSize(unit.dropIns().size());
        for (int i = 0; i < dropIns.size(); i++) {
            Map<?, ?> dropIn = (Map<?, ?>) dropIns.get(i);
            assertThat(dropIn.get("name")).isEqualTo(unit.dropIns().get(i).name());
            assertSameLines(
                    String.valueOf(dropIn.get("content")), unit.dropIns().get(i).content());
        }
    }

    /** This parser, unlike cloud-init's, takes no block of blanks only, so those are given to it as the empty text that they are. */
    private static String withoutBlankBlocks(String document) {
        return document.replaceAll("(?m)^( *)content: \\|-?\n(?: *\r?\n)*+(?!\\1 )", "$1content: ''\n");
    }

    /** Equal but for CR LF and the line breaks at the end, which a block does not keep. */
    private static void assertSameLines(String actual, String expected) {
        assertThat(lines(actual)).isEqualTo(lines(expected));
    }

    private static String lines(String text) {
        String lines = (text + "\n").replace("\r\n", "\n");
        int end = lines.length();
        while (end > 0 && lines.charAt(end - 1) == '\n') {
            end--;
        }
        return lines.substring(0, end);
    }

    private static List<?> list(@org.jspecify.annotations.Nullable Object value) {
        return value instanceof List<?> list ? list : List.of();
    }
}
