package io.osmhub.core.userdata;

import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.osc.OperatingSystemConfig.Config;
import io.osmhub.core.osc.OperatingSystemConfig.File;
import io.osmhub.core.osc.SystemdUnit;
import java.util.List;

/**
 * The Ignition 2.3.0 document.
 *
 * <p>OSM writes a Container Linux Config, which is YAML, and transpiles it (container-linux-config-transpiler). This document is
 * written directly: {@link ContainerLinuxConfig} decides whether the YAML would be rejected, {@link IgnitionValidator} applies the
 * transpiler's checks, and values that pass both are written unchanged.
 */
final class IgnitionDocument {
    private final UserDataInput input;
    private final Config config;
    private final List<String> keys;
    private final JsonWriter json;

    IgnitionDocument(UserDataInput input) {
        this.input = input;
        this.config = input.config();
        this.keys = SshKeys.normalizeKeys(config.userSshKeys());
        this.json = new JsonWriter(JsonWriter.StringForm.TEXT, new StringBuilder(input.estimatedSize()));
    }

    String generateText() {
        if (!ContainerLinuxConfig.isReadBackUnchanged(input, keys)) {
            ContainerLinuxConfig.of(input, keys).requireReadable();
        }
        new IgnitionValidator(input, keys).requireValid();
        json.beginObject();
        json.key("ignition").beginObject();
        json.key("config").beginObject().endObject();
        json.key("security").beginObject().key("tls").beginObject().endObject().endObject();
        json.key("timeouts").beginObject().endObject();
        json.field("version", "2.3.0").endObject();
        json.key("networkd").beginObject().endObject();
        passwd();
        storage();
        systemd();
        return json.endObject().toString();
    }

    private void passwd() {
        json.key("passwd").beginObject();
        if (!keys.isEmpty()) {
            json.key("users").beginArray().beginObject().field("name", "core");
            json.key("sshAuthorizedKeys").beginArray();
            keys.forEach(json::value);
            json.endArray().endObject().endArray();
        }
        json.endObject();
    }

    private void storage() {
        json.key("storage").beginObject();
        if (input.setsHostname() || !config.files().isEmpty()) {
            json.key("files").beginArray();
            if (input.setsHostname()) {
                file("/etc/machine-name", UserDataGenerator.MACHINE_NAME, 0600);
            }
            for (File file : config.files()) {
                file(file.path(), truncate(file.data()), FilePermissions.ignitionMode(file.permissions()));
            }
            json.endArray();
        }
        json.endObject();
    }

    private void file(String path, String content, int mode) {
        json.beginObject().field("filesystem", "root").field("path", path);
        json.key("contents").beginObject();
        json.key("source").plainValue(out -> PercentEncoding.DATA_URL.append(out.append("data:,"), content));
        json.key("verification").beginObject().endObject().endObject();
        json.key("mode").value(mode).endObject();
    }

    private void systemd() {
        json.key("systemd").beginObject();
        if (!config.units().isEmpty()) {
            json.key("units").beginArray();
            config.units().forEach(this::unit);
            json.endArray();
        }
        json.endObject();
    }

    private void unit(SystemdUnit unit) {
        json.beginObject();
        contents(unit.content() == null ? "" : unit.content());
        if (!unit.dropIns().isEmpty()) {
            json.key("dropins").beginArray();
            for (SystemdUnit.DropIn dropIn : unit.dropIns()) {
                json.beginObject();
                contents(dropIn.content());
                json.field("name", dropIn.name()).endObject();
            }
            json.endArray();
        }
        json.key("enabled").value(Boolean.TRUE.equals(unit.enable()));
        if (Boolean.TRUE.equals(unit.mask())) {
            json.key("mask").value(true);
        }
        json.field("name", unit.name()).endObject();
    }

    private void contents(String text) {
        String contents = truncate(text);
        if (!contents.isEmpty()) {
            json.field("contents", contents);
        }
    }

    /** The text after the conversion: LF ends each line, one LF the text; a text of blanks and empty lines is empty. */
    static String truncate(String text) {
        String lines = text.indexOf('\r') < 0 ? text : (text + "\n").replace("\r\n", "\n");
        int end = lines.length();
        while (end > 0 && lines.charAt(end - 1) == '\n') {
            end--;
        }
        int blanks = 0;
        while (blanks < end && (lines.charAt(blanks) == ' ' || lines.charAt(blanks) == '\n')) {
            blanks++;
        }
        if (blanks == end) {
            return "";
        }
        return end + 1 == lines.length() ? lines : lines.substring(0, end) + "\n";
    }
}
