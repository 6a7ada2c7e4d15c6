package io.osmhub.core.userdata;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.osc.OperatingSystemConfig.Config;
import io.osmhub.core.osc.OperatingSystemConfig.File;
import io.osmhub.core.osc.SystemdUnit;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.userdata.ContainerLinuxConfig.ConfigFieldPath;
import io.osmhub.core.userdata.UserDataGenerator.FilePermissions;
import io.osmhub.core.userdata.UserDataGenerator.SshKeys;
import io.osmhub.core.userdata.UserDataGenerator.UserDataInput;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
        this.json = new JsonWriter(new StringBuilder(input.estimatedSize()));
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

    /** The transpiler's checks of values. As in OSM, warnings count as errors. */
    private static final class IgnitionValidator {
        private static final Set<String> UNIT_EXTENSIONS = Set.of(
                ".service",
                ".socket",
                ".device",
                ".mount",
                ".automount",
                ".swap",
                ".target",
                ".path",
                ".timer",
                ".snapshot",
                ".slice",
                ".scope");

        private final UserDataInput input;
        private final List<String> keys;
        private final List<Fault> faults = new ArrayList<>();

        IgnitionValidator(UserDataInput input, List<String> keys) {
            this.input = input;
            this.keys = keys;
        }

        /** {@code severity} is the conversion's {@code error} or {@code warning}; both abort it. */
        private record Fault(ConfigFieldPath place, String severity, String what, String cure) {}

        void requireValid() {
            List<File> files = input.config().files();
            for (int i = 0; i < files.size(); i++) {
                check(i, files.get(i));
            }
            List<SystemdUnit> units = input.config().units();
            Set<String> unitPaths = new HashSet<>();
            for (int i = 0; i < units.size(); i++) {
                check(i, units.get(i));
                unitPaths.addAll(units.get(i).paths().keySet());
            }
            for (int i = 0; i < files.size(); i++) {
                if (unitPaths.contains(files.get(i).path())) {
                    add(
                            ConfigFieldPath.path(i, files.get(i)),
                            "path conflicts with a systemd unit or drop-in, Ignition 2.15 and later refuses the document",
                            "remove the file, or the unit or drop-in");
                }
            }
            if (!faults.isEmpty()) {
                throw new TenantMistake(findings());
            }
        }

        private void check(int index, File file) {
            if (!file.path().startsWith("/")) {
                add(ConfigFieldPath.path(index, file), "path not absolute", "begin the path with /");
            }
            if (!FilePermissions.isValid(FilePermissions.ignitionMode(file.permissions()))) {
                add(
                        ConfigFieldPath.permissions(index, file),
                        "illegal file mode",
                        "use three octal digits, for example 644; Ignition parses any other number of digits as decimal, up to 4095");
            }
        }

        private void check(int index, SystemdUnit unit) {
            String content = IgnitionDocument.truncate(unit.content() == null ? "" : unit.content());
            SystemdUnitParser.UnitParseResult reading = SystemdUnitParser.parse(content);
            if (reading.fault() != null) {
                add(
                        ConfigFieldPath.unitContent(index, unit),
                        "invalid unit content: " + reading.fault(),
                        "use sections [Name] and lines Name=value, each shorter than 2048 bytes");
            } else if (Boolean.TRUE.equals(unit.enable()) && reading.lacksInstall()) {
                faults.add(
                        new Fault(
                                ConfigFieldPath.unitContent(index, unit),
                                "warning",
                                "unit \"" + unit.name()
                                        + "\" is enabled, but has no install section so enable does nothing",
                                "add a section [Install], with WantedBy=multi-user.target for example, or do not enable the unit"));
            }
            for (int i = 0; i < unit.dropIns().size(); i++) {
                SystemdUnit.DropIn dropIn = unit.dropIns().get(i);
                String fault = SystemdUnitParser.parse(IgnitionDocument.truncate(dropIn.content()))
                        .fault();
                if (fault != null) {
                    add(
                            ConfigFieldPath.dropInContent(index, i, dropIn),
                            "invalid unit content: " + fault,
                            "use sections [Name] and lines Name=value, each shorter than 2048 bytes");
                }
                if (!extension(dropIn.name()).equals(".conf")) {
                    add(
                            ConfigFieldPath.dropInName(index, i, dropIn),
                            "invalid systemd drop-in extension",
                            "end the name with .conf");
                }
            }
            if (!UNIT_EXTENSIONS.contains(extension(unit.name()))) {
                add(
                        ConfigFieldPath.unitName(index, unit),
                        "invalid systemd unit extension",
                        "end the name with the unit type, for example .service");
            }
        }

        private void add(ConfigFieldPath place, String what, String cure) {
            faults.add(new Fault(place, "error", what, cure));
        }

        private static String extension(String name) {
            int dot = name.lastIndexOf('.');
            return dot > name.lastIndexOf('/') ? name.substring(dot) : "";
        }

        /** Findings with the line and column of the conversion, to compare with its log. */
        private List<ProblemFinding> findings() {
            ContainerLinuxConfig text = ContainerLinuxConfig.of(input, keys);
            return faults.stream()
                    .map(fault -> new ProblemFinding(
                            ContainerLinuxConfig.REASON,
                            "OperatingSystemConfig",
                            input.fieldPath(fault.place().field()),
                            fault.what() + " (" + fault.severity() + " at " + text.describePosition(fault.place())
                                    + " of its Container Linux Config)",
                            fault.cure()))
                    .toList();
        }
    }

    /** Writes UTF-8 bytes as {@code %XX}, except letters, digits and a few characters. */
    private static final class PercentEncoding {
        private static final String LETTERS_AND_DIGITS =
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

        /** The unescaped characters in a data URL of the Ignition conversion. */
        static final PercentEncoding DATA_URL = new PercentEncoding("-_.!~*'()");

        /** Replacement of each byte; null for itself. */
        private final @Nullable String[] encoded = new @Nullable String[256];

        private PercentEncoding(String staying) {
            HexFormat hex = HexFormat.of().withUpperCase();
            for (int each = 0; each < encoded.length; each++) {
                if (LETTERS_AND_DIGITS.indexOf(each) < 0 && staying.indexOf(each) < 0) {
                    encoded[each] = "%" + hex.toHexDigits((byte) each);
                }
            }
        }

        void append(StringBuilder out, String text) {
            int from = 0;
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c >= 0x80) {
                    out.append(text, from, i);
                    appendBytes(out, text.substring(i).getBytes(UTF_8));
                    return;
                }
                String code = encoded[c];
                if (code != null) {
                    out.append(text, from, i).append(code);
                    from = i + 1;
                }
            }
            out.append(text, from, text.length());
        }

        private void appendBytes(StringBuilder out, byte[] bytes) {
            for (byte each : bytes) {
                String code = encoded[each & 0xFF];
                if (code == null) {
                    out.append((char) each);
                } else {
                    out.append(code);
                }
            }
        }
    }
}
