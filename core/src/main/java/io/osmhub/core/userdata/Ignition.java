package io.osmhub.core.userdata;

import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.osc.OperatingSystemConfig.Config;
import io.osmhub.core.osc.OperatingSystemConfig.File;
import io.osmhub.core.osc.SystemdUnit;
import java.util.List;

/**
 * The Ignition 2.3.0 document.
 *
 * <p>The peer writes a Container Linux Config, which is YAML, and has it read and transpiled
 * (container-linux-config-transpiler). The document here is written directly: {@link ContainerLinuxConfig} says whether that reading
 * would have been refused, {@link IgnitionCheck} does what the transpiler checks, and what passes both is written as given.
 */
final class Ignition {
    private final UserDataInput input;
    private final Config config;
    private final List<String> keys;
    private final JsonWriter json;

    Ignition(UserDataInput input) {
        this.input = input;
        this.config = input.config();
        this.keys = SshKeys.cleaned(config.userSshKeys());
        this.json = new JsonWriter(JsonWriter.Form.TEXT, new StringBuilder(input.roughSize()));
    }

    String document() {
        if (!ContainerLinuxConfig.readsBackAsGiven(input, keys)) {
            ContainerLinuxConfig.of(input, keys).refuseIfUnreadable();
        }
        new IgnitionCheck(input, keys).refuseIfIllegal();
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
        if (input.namesTheMachine() || !config.files().isEmpty()) {
            json.key("files").beginArray();
            if (input.namesTheMachine()) {
                file("/etc/machine-name", UserData.MACHINE_NAME, 0600);
            }
            for (File file : config.files()) {
                file(file.path(), clipped(file.data()), Permissions.ignitionMode(file.permissions()));
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
        String contents = clipped(text);
        if (!contents.isEmpty()) {
            json.field("contents", contents);
        }
    }

    /** The text as the conversion leaves it: LF ends each line, one of them the text; a text of blanks and empty lines is empty. */
    static String clipped(String text) {
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
