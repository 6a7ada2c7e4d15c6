package io.osmhub.core.lint;

import io.osmhub.core.problem.SpellingSuggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses systemd units, drop-ins and other files of systemd's syntax line by line, as in systemd.syntax(7). */
final class UnitSyntaxParser {
    /** Unit types by file name suffix. */
    private static final Set<String> UNIT_TYPES = Set.of(
            "service", "socket", "device", "mount", "automount", "swap", "target", "path", "timer", "slice", "scope");

    private static final List<String> SECTIONS = List.of(
            "Unit", "Install", "Service", "Socket", "Mount", "Automount", "Swap", "Path", "Timer", "Slice", "Scope");

    private static final List<String> DIRECTORIES =
            List.of("/etc/systemd/", "/run/systemd/", "/lib/systemd/", "/usr/lib/systemd/", "/usr/local/lib/systemd/");

    /** Files in systemd's directories that are not units but have the same syntax. */
    private static final Set<String> OTHER_TYPES = Set.of("conf", "network", "netdev", "link", "nspawn");

    /** An invalid line; {@code line} counts from 1. */
    record UnitSyntaxError(int line, String message, String cure) {}

    /** {@code isInstallMissing}: it has settings, and none is in a section {@code [Install]}. */
    record ParseResult(List<UnitSyntaxError> faults, boolean isInstallMissing) {}

    private final boolean unit;
    private final List<UnitSyntaxError> faults = new ArrayList<>();
    private @Nullable String section;
    private boolean hasSettings;
    private boolean hasInstall;

    private UnitSyntaxParser(boolean unit) {
        this.unit = unit;
    }

    /** Whether systemd reads a file with this path. */
    static boolean appliesTo(String path) {
        String type = type(path);
        return DIRECTORIES.stream().anyMatch(path::startsWith)
                && (UNIT_TYPES.contains(type) || OTHER_TYPES.contains(type));
    }

    static boolean isUnitName(String name) {
        return UNIT_TYPES.contains(type(name));
    }

    private static String type(String name) {
        int dot = name.lastIndexOf('.');
        return dot > name.lastIndexOf('/') + 1 ? name.substring(dot + 1) : "";
    }

    /** Parses a file at a path below systemd's directories. */
    static ParseResult readFile(String path, String text) {
        int directory = path.lastIndexOf('/');
        boolean dropIn = path.endsWith(".conf")
                && path.startsWith(".d", directory - 2)
                && isUnitName(path.substring(0, Math.max(0, directory - 2)));
        return new UnitSyntaxParser(dropIn || isUnitName(path)).read(text);
    }

    /** Parses a unit or its drop-in. */
    static ParseResult readUnit(String text) {
        return new UnitSyntaxParser(true).read(text);
    }

    private ParseResult read(String text) {
        boolean continued = false;
        int number = 0;
        for (String raw : text.lines().toList()) {
            number++;
            String line = raw.strip();
            boolean comment = line.startsWith("#") || line.startsWith(";");
            if (continued) {
                // A comment between the lines of a setting does not end the setting.
                continued = comment || line.endsWith("\\");
            } else if (!line.isEmpty() && !comment) {
                statement(number, line);
                continued = line.endsWith("\\");
            }
        }
        return new ParseResult(List.copyOf(faults), hasSettings && !hasInstall);
    }

    private void statement(int number, String line) {
        if (line.startsWith("[")) {
            header(number, line);
            return;
        }
        int equals = line.indexOf('=');
        if (equals < 0) {
            add(number, "is neither a section nor a setting", "write [Section] or Name=value");
        } else if (equals == 0) {
            add(number, "has no name before the =", "write Name=value");
        } else if (section == null) {
            add(number, "setting outside of a section", "begin with a section, for example [Unit]");
        } else {
            hasSettings = true;
            hasInstall |= section.equals("Install");
        }
    }

    private void header(int number, String line) {
        section = line.endsWith("]") ? line.substring(1, line.length() - 1) : line.substring(1);
        if (!line.endsWith("]")) {
            add(number, "unterminated section name", "close it with ]");
        } else if (unit && !SECTIONS.contains(section) && !section.startsWith("X-")) {
            String cure = SpellingSuggestion.findClosest(section, SECTIONS)
                    .map(near -> "did you mean [" + near + "]?")
                    .orElse("known sections: " + String.join(", ", SECTIONS));
            add(number, "unknown section [" + section + "], ignored by systemd", cure);
        }
    }

    private void add(int line, String message, String cure) {
        faults.add(new UnitSyntaxError(line, message, cure));
    }
}
