package io.osmhub.core.userdata;

import io.osmhub.core.golang.GoValue.GoString;
import org.jspecify.annotations.Nullable;

/**
 * Parses a systemd unit as the Ignition conversion does (go-systemd's unit lexer), for its errors and its sections.
 *
 * <p>That lexer is laxer than systemd: it skips everything outside of sections, and a section counts only with an option. It works
 * in steps over a buffer that is refilled; before each step it searches only the buffer for a line that systemd would cut. The same
 * steps and refills are used here, so that the same lines are found.
 */
final class SystemdUnitParser {
    /** systemd's longest line, in bytes. */
    private static final int LONGEST_LINE = 2048;

    private static final int BUFFER = 4096;

    private final String bytes;
    private int at;
    private int buffered;
    private boolean hasOption;
    private boolean hasInstallOption;

    private @Nullable String fault;

    private SystemdUnitParser(String bytes) {
        this.bytes = bytes;
    }

    /**
     * @param fault the error in the text; null if none
     * @param lacksInstall whether it has options and none of them is in a section {@code [Install]}
     */
    record UnitParseResult(@Nullable String fault, boolean lacksInstall) {}

    static UnitParseResult parse(String text) {
        SystemdUnitParser unit = new SystemdUnitParser(GoString.bytes(text));
        unit.skipToSection();
        return new UnitParseResult(unit.fault, unit.hasOption && !unit.hasInstallOption);
    }

    private void skipToSection() {
        while (startStep() && fill()) {
            char c = bytes.charAt(at++);
            if (c == '[') {
                sections();
                return;
            }
            if (isComment(c) && startStep()) {
                skipComment();
            }
        }
    }

    /** Parses from after the bracket that opens a section to the end of the text. */
    private void sections() {
        while (fault == null) {
            String section = sectionName();
            if (section == null || !startStep()) {
                return;
            }
            if (!UnicodeWhitespace.isBlank(GoString.text(line()))) {
                fault = "found garbage after section name";
                return;
            }
            if (!options(section)) {
                return;
            }
        }
    }

    private @Nullable String sectionName() {
        if (!startStep()) {
            return null;
        }
        int start = at;
        if (!skipBehind(']')) {
            fault = "unable to find end of section";
            return null;
        }
        return bytes.substring(start, at - 1);
    }

    /** Parses options up to and including the bracket of the next section; false if there is none. */
    private boolean options(String section) {
        while (startStep() && fill()) {
            int blank = blankLength();
            char c = bytes.charAt(at);
            if (blank > 0) {
                at += blank;
            } else if (c == '[') {
                at++;
                return true;
            } else if (isComment(c)) {
                at++;
                if (startStep()) {
                    skipComment();
                }
            } else {
                option(section);
            }
        }
        return false;
    }

    private void option(String section) {
        if (!startStep()) {
            return;
        }
        for (char c = 0; c != '='; at++) {
            if (!fill()) {
                fault = "unexpected end of the text while parsing option name";
                return;
            }
            c = bytes.charAt(at);
            if (c == '\n' || c == '\r') {
                fault = "unexpected newline encountered while parsing option name";
                return;
            }
        }
        boolean continued = true;
        while (continued) {
            if (!startStep()) {
                return;
            }
            String line = line();
            continued = !UnicodeWhitespace.isBlank(GoString.text(line)) && line.endsWith("\\");
        }
        hasOption = true;
        hasInstallOption |= section.equals("Install");
    }

    private void skipComment() {
        String line;
        do {
            line = line();
        } while (line.endsWith("\\") || line.endsWith("\\ "));
    }

    private String line() {
        int start = at;
        boolean ended = skipBehind('\n');
        return bytes.substring(start, ended ? at - 1 : at);
    }

    /** Moves behind the next such byte, or to the end of the text. */
    private boolean skipBehind(char wanted) {
        while (true) {
            int found = bytes.indexOf(wanted, at, buffered);
            if (found >= 0) {
                at = found + 1;
                return true;
            }
            if (buffered - at >= BUFFER) {
                at = buffered;
            } else if (buffered == bytes.length()) {
                at = buffered;
                return false;
            } else {
                buffered = Math.min(bytes.length(), at + BUFFER);
            }
        }
    }

    private boolean fill() {
        if (at == buffered) {
            buffered = Math.min(bytes.length(), at + BUFFER);
        }
        return at < buffered;
    }

    private boolean startStep() {
        if (fault == null && buffered - at >= LONGEST_LINE) {
            int end = at + LONGEST_LINE;
            if (bytes.indexOf('\n', at, end) < 0 && bytes.indexOf('\r', at, end) < 0) {
                fault = "line too long (max " + LONGEST_LINE + " bytes)";
            }
        }
        return fault == null;
    }

    /** Length in bytes of the white space character at the current position; 0 if none. */
    private int blankLength() {
        int first = bytes.charAt(at);
        if (first < 0x80) {
            return UnicodeWhitespace.isSpace((char) first) ? 1 : 0;
        }
        int length = first < 0xE0 ? 2 : 3;
        int end = Math.min(bytes.length(), at + length);
        String character = GoString.text(bytes.substring(at, end));
        return character.length() == 1 && UnicodeWhitespace.isSpace(character.charAt(0)) ? length : 0;
    }

    private static boolean isComment(char c) {
        return c == '#' || c == ';';
    }

    /** Unicode's White_Space property, as trimmed by Go. Java's two definitions both miss a few characters. */
    static final class UnicodeWhitespace {
        static boolean isSpace(char c) {
            return c == ' ' || c >= '\t' && c <= '\r' || c == 0x85 || c == 0xA0 || c > 0xFF && Character.isSpaceChar(c);
        }

        static String trim(String text) {
            int start = 0;
            int end = text.length();
            while (start < end && isSpace(text.charAt(start))) {
                start++;
            }
            while (end > start && isSpace(text.charAt(end - 1))) {
                end--;
            }
            return text.substring(start, end);
        }

        static boolean isBlank(String text) {
            return trim(text).isEmpty();
        }
    }
}
