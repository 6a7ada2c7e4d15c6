package io.osmhub.core.lint;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.template.SpellingSuggestion;
import io.osmhub.core.userdata.SystemdUnitParser;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks units, drop-ins and other files of systemd's syntax. */
final class SystemdFiles {
    private static final List<String> SECTIONS = List.of(
            "Unit", "Install", "Service", "Socket", "Mount", "Automount", "Swap", "Path", "Timer", "Slice", "Scope");

    private static final Pattern UNIT_NAME = Pattern.compile(
            ".*[^/]\\.(service|socket|device|mount|automount|swap|target|path|timer|slice|scope)", Pattern.DOTALL);
    private static final Pattern UNIT_PATH =
            Pattern.compile(UNIT_NAME.pattern() + "(\\.d/[^/]*\\.conf)?", Pattern.DOTALL);

    /** Also files of systemd's directories that are not units but have the same syntax. */
    private static final Pattern PATH = Pattern.compile("/(etc|run|lib|usr/lib|usr/local/lib)/systemd/("
            + UNIT_NAME.pattern() + "|.*[^/]\\.(conf|network|netdev|link|nspawn))");

    private static final Pattern HEADER = Pattern.compile("(?m)^[ \\t]*\\[([^\\]\\n]*)\\]");

    private static final Pattern STATEMENT = Pattern.compile("(?m)^[ \\t]*[^#;\\s]");

    private SystemdFiles() {}

    static boolean isUnitName(String name) {
        return UNIT_NAME.matcher(name).matches();
    }

    /** Whether systemd reads a file with this path. */
    static boolean appliesTo(String path) {
        return PATH.matcher(path).matches();
    }

    /** The first error of a file with this path; null if there is none. */
    static @Nullable String error(String path, String text) {
        return error(text, UNIT_PATH.matcher(path).matches());
    }

    /** The first error of a unit or drop-in; null if there is none. */
    static @Nullable String error(String text) {
        return error(text, true);
    }

    private static @Nullable String error(String text, boolean unit) {
        String fault = SystemdUnitParser.parse(text).fault();
        Matcher header = HEADER.matcher(text);
        boolean hasSection = false;
        while (fault == null && header.find()) {
            hasSection = true;
            String section = header.group(1);
            boolean continued = text.startsWith("\\\n", header.start() - 2);
            if (unit && !continued && !SECTIONS.contains(section) && !section.startsWith("X-")) {
                return "unknown section [" + MessageFormatter.quote(section) + "], ignored by systemd"
                        + SpellingSuggestion.findClosest(section, SECTIONS)
                                .map(near -> "; did you mean [" + near + "]?")
                                .orElse("");
            }
        }
        boolean lacksSection =
                fault == null && !hasSection && STATEMENT.matcher(text).find();
        return lacksSection ? "has no section; begin with one, for example [Unit]" : fault;
    }
}
