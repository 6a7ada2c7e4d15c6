package io.osmhub.core.userdata;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.re2j.Pattern;
import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.osc.OperatingSystemConfig.Config;
import io.osmhub.core.osc.OperatingSystemConfig.File;
import io.osmhub.core.osc.SystemdUnit;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.userdata.SystemdUnitParser.UnitParseResult;
import io.osmhub.core.userdata.UserDataGenerator.UserDataInput;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The Ignition 2.3.0 document.
 *
 * <p>OSM writes a Container Linux Config, which is YAML, and transpiles it (container-linux-config-transpiler). This document is
 * written directly, with the transpiler's checks of values, whose warnings count as errors as in OSM. A value that breaks OSM's YAML is written as given.
 */
final class IgnitionDocument {
    private static final Pattern UNIT_NAME = Pattern.compile(
            "(?s).*\\.(service|socket|device|mount|automount|swap|target|path|timer|snapshot|slice|scope)");

    private static final String HEX = "0123456789ABCDEF";
    private static final int HIGHEST_MODE = 07777;

    private final UserDataInput input;
    private final Config config;
    private final List<String> keys;
    private final JsonWriter json = new JsonWriter(new StringBuilder(1 << 14));
    private final List<Problem> findings = new ArrayList<>();

    IgnitionDocument(UserDataInput input) {
        this.input = input;
        this.config = input.config();
        this.keys = UserDataGenerator.normalizeKeys(config.userSshKeys());
    }

    String generateText() {
        requireValid();
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
                file(file.path(), truncate(file.data()), mode(file.permissions()));
            }
            json.endArray();
        }
        json.endObject();
    }

    private void file(String path, String content, int mode) {
        json.beginObject().field("filesystem", "root").field("path", path);
        json.key("contents").beginObject();
        json.key("source").plainValue(out -> percentEncode(out.append("data:,"), content));
        json.key("verification").beginObject().endObject().endObject();
        json.key("mode").value(mode).endObject();
    }

    /** The mode of a decimal number, which Ignition reads as octal only with a leading zero and only octal digits. */
    private static int mode(int permissions) {
        boolean octal = permissions >= 100 && permissions <= 777 && permissions / 10 % 10 <= 7 && permissions % 10 <= 7;
        return octal ? permissions / 100 * 64 + permissions / 10 % 10 * 8 + permissions % 10 : permissions;
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

    /** As in the data URLs of the transpiler: the characters of JavaScript's {@code encodeURIComponent} stay. */
    private static void percentEncode(StringBuilder out, String text) {
        for (byte b : text.getBytes(UTF_8)) {
            int value = b & 0xFF;
            if (value < 0x80 && (Character.isLetterOrDigit(value) || "-_.!~*'()".indexOf(value) >= 0)) {
                out.append((char) value);
            } else {
                out.append('%').append(HEX.charAt(value >> 4)).append(HEX.charAt(value & 0xF));
            }
        }
    }

    private void requireValid() {
        Set<String> unitPaths = new HashSet<>();
        config.units().forEach(unit -> unitPaths.addAll(unit.paths().keySet()));
        for (int i = 0; i < config.files().size(); i++) {
            check("files[" + i + "].", config.files().get(i), unitPaths);
        }
        for (int i = 0; i < config.units().size(); i++) {
            check("units[" + i + "].", config.units().get(i));
        }
        if (!findings.isEmpty()) {
            throw new TenantMistake(findings);
        }
    }

    private void check(String field, File file, Set<String> unitPaths) {
        if (!file.path().startsWith("/")) {
            add(field + "path", file.path(), "path not absolute", "begin the path with /");
        }
        int mode = mode(file.permissions());
        if (mode < 0 || mode > HIGHEST_MODE) {
            add(
                    field + "permissions",
                    file.path(),
                    "illegal file mode",
                    "use three octal digits, for example 644; Ignition parses any other number of digits as decimal, up to 4095");
        }
        if (unitPaths.contains(file.path())) {
            add(
                    field + "path",
                    file.path(),
                    "path conflicts with a systemd unit or drop-in, Ignition 2.15 and later refuses the document",
                    "remove the file, or the unit or drop-in");
        }
    }

    private void check(String field, SystemdUnit unit) {
        boolean isInstallMissing = checkContent(field, unit.name(), unit.content() == null ? "" : unit.content());
        if (Boolean.TRUE.equals(unit.enable()) && isInstallMissing) {
            add(
                    field + "content",
                    unit.name(),
                    "unit \"" + unit.name() + "\" is enabled, but has no install section so enable does nothing",
                    "add a section [Install], with WantedBy=multi-user.target for example, or do not enable the unit");
        }
        for (int i = 0; i < unit.dropIns().size(); i++) {
            SystemdUnit.DropIn dropIn = unit.dropIns().get(i);
            String dropInField = field + "dropIns[" + i + "].";
            checkContent(dropInField, dropIn.name(), dropIn.content());
            if (!dropIn.name().endsWith(".conf")) {
                add(
                        dropInField + "name",
                        dropIn.name(),
                        "invalid systemd drop-in extension",
                        "end the name with .conf");
            }
        }
        if (!UNIT_NAME.matcher(unit.name()).matches()) {
            add(
                    field + "name",
                    unit.name(),
                    "invalid systemd unit extension",
                    "end the name with the unit type, for example .service");
        }
    }

    /** Returns whether the text is valid, but has options and no section {@code [Install]}. */
    private boolean checkContent(String field, String name, String content) {
        UnitParseResult unit = SystemdUnitParser.parseForIgnition(truncate(content));
        if (unit.fault() != null) {
            add(
                    field + "content",
                    name,
                    "invalid unit content: " + unit.fault(),
                    "use sections [Name] and lines Name=value, each shorter than 2048 bytes");
        }
        return unit.fault() == null && unit.isInstallMissing();
    }

    /** {@code name} is the file's path or the unit's name, for users. */
    private void add(String field, String name, String what, String fix) {
        findings.add(new Problem(
                Reason.IgnitionConversionFailed,
                ProblemObject.of("OperatingSystemConfig", ""),
                input.fieldPath(field + " (" + name + ")"),
                what,
                fix));
    }
}
