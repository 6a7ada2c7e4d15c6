package io.osmhub.core.userdata;

import io.osmhub.core.golang.GoValue.GoString;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Parses systemd units and drop-ins. The Ignition conversion reads them with go-systemd's unit lexer, which is laxer than systemd: it
 * skips everything outside of sections, and a section counts only with an option.
 */
public final class SystemdUnitParser {
    /** The longest line of go-systemd's lexer, in bytes. It misses some longer ones, which are always refused here. */
    private static final int LONGEST_LINE = 2048;

    private final String text;
    private final boolean forIgnition;
    private int at;
    private boolean hasOptions;
    private boolean hasInstall;
    private @Nullable String fault;

    private SystemdUnitParser(String text, boolean forIgnition) {
        this.text = text;
        this.forIgnition = forIgnition;
    }

    /**
     * @param fault the first error; null if the text has none
     * @param isInstallMissing whether it has options and none of them is in a section {@code [Install]}
     */
    public record UnitParseResult(@Nullable String fault, boolean isInstallMissing) {}

    /** Parses as systemd does: a comment does not end a continued line, and a section's header is one line. */
    public static UnitParseResult parse(String text) {
        return new SystemdUnitParser(text, false).parse();
    }

    /** Parses as the Ignition conversion does. */
    static UnitParseResult parseForIgnition(String text) {
        boolean tooLong = Arrays.stream(GoString.bytes(text).split("[\n\r]")).anyMatch(l -> l.length() >= LONGEST_LINE);
        return tooLong
                ? new UnitParseResult("line too long (max " + LONGEST_LINE + " bytes)", false)
                : new SystemdUnitParser(text, true).parse();
    }

    private UnitParseResult parse() {
        boolean inSection = false;
        while (!inSection && at < text.length()) {
            char c = text.charAt(at++);
            inSection = c == '[';
            if (isComment(c)) {
                skipComment();
            }
        }
        while (inSection) {
            inSection = section();
        }
        return new UnitParseResult(fault, hasOptions && !hasInstall);
    }

    /** Parses from after the bracket that opens a section to after the next such bracket; false if there is none. */
    private boolean section() {
        int end = text.indexOf(']', at);
        String name = end < 0 ? "" : text.substring(at, end);
        if (end < 0 || !forIgnition && name.indexOf('\n') >= 0) {
            fault = "unable to find end of section";
            return false;
        }
        at = end + 1;
        if (!isBlank(line())) {
            fault = "found garbage after section name";
            return false;
        }
        while (fault == null && at < text.length()) {
            char c = text.charAt(at);
            if (c == '[') {
                at++;
                return true;
            }
            if (isSpace(c)) {
                at++;
            } else if (isComment(c)) {
                skipComment();
            } else if (skipOptionName()) {
                hasOptions = true;
                hasInstall |= name.equals("Install");
                skipValue();
            }
        }
        return false;
    }

    /** Moves behind the equals sign; false if there is none in the line. */
    private boolean skipOptionName() {
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '=') {
                return true;
            }
            if (c == '\n' || c == '\r') {
                fault = "unexpected newline encountered while parsing option name";
                return false;
            }
        }
        fault = "unexpected end of the text while parsing option name";
        return false;
    }

    private void skipValue() {
        boolean continued = true;
        while (continued) {
            String line = line();
            String start = line.stripLeading();
            boolean comment = !forIgnition && !start.isEmpty() && isComment(start.charAt(0));
            continued = (comment || !isBlank(line) && line.endsWith("\\")) && at < text.length();
        }
    }

    private void skipComment() {
        String line;
        do {
            line = line();
        } while (line.endsWith("\\") || line.endsWith("\\ "));
    }

    private String line() {
        int start = at;
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end + 1;
        return text.substring(start, end < 0 ? at : end);
    }

    private static boolean isComment(char c) {
        return c == '#' || c == ';';
    }

    /** Unicode's White_Space property, as in Go. Java's two definitions both miss a few characters. */
    private static boolean isSpace(int c) {
        return c == ' ' || c >= '\t' && c <= '\r' || c == 0x85 || c == 0xA0 || c > 0xFF && Character.isSpaceChar(c);
    }

    private static boolean isBlank(String line) {
        return line.chars().allMatch(SystemdUnitParser::isSpace);
    }
}
