package io.osmhub.core.template.functions;

import io.osmhub.core.golang.GoCallException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Measures a regular expression before it is compiled, since the library has no limit: repetitions copy what they repeat, so that
 * nested ones multiply. Syntax errors are left to the library.
 */
final class RegexSize {
    /** Go's limit for the product of the counts of nested repetitions. */
    private static final int MOST_REPEATS = 1_000;

    /** A group, or the whole expression; {@code last} is its last part, to which a repetition applies. */
    private static final class Group {
        private long size;
        private long repeats = 1;
        private long lastSize;
        private long lastRepeats = 1;

        private void add(long partSize, long partRepeats) {
            size += lastSize;
            repeats = Math.max(repeats, lastRepeats);
            lastSize = partSize;
            lastRepeats = partRepeats;
        }
    }

    private final String pattern;
    private final Deque<Group> groups = new ArrayDeque<>();

    private RegexSize(String pattern) {
        this.pattern = pattern;
        groups.push(new Group());
    }

    /**
     * An upper bound for the number of instructions of the compiled expression.
     *
     * @throws GoCallException for repetitions that Go refuses
     */
    static long measure(String pattern) throws GoCallException {
        RegexSize measured = new RegexSize(pattern);
        for (int i = 0; i < pattern.length(); ) {
            i = measured.addPart(i);
        }
        while (measured.groups.size() > 1) {
            measured.closeGroup();
        }
        measured.group().add(0, 1);
        return measured.group().size;
    }

    private Group group() {
        return groups.element();
    }

    /** Adds the part that starts there; returns its end. */
    private int addPart(int start) throws GoCallException {
        switch (pattern.charAt(start)) {
            case '\\' -> {
                int end = escapeEnd(start);
                group().add(end - start, 1);
                return end;
            }
            case '[' -> {
                group().add(1, 1);
                return classEnd(start);
            }
            case '(' -> {
                return openGroup(start);
            }
            case ')' -> closeGroup();
            case '*', '+', '?', '|' -> group().lastSize++;
            case '{' -> {
                return repeat(start);
            }
            default -> group().add(1, 1);
        }
        return start + 1;
    }

    private int escapeEnd(int start) throws GoCallException {
        if (pattern.startsWith("\\Q", start)) {
            int end = pattern.indexOf("\\E", start + 2);
            return end < 0 ? pattern.length() : end + 2;
        }
        if (start + 1 < pattern.length() && pattern.charAt(start + 1) >= 0x80) {
            throw new GoCallException("invalid escape sequence");
        }
        boolean braces = start + 2 < pattern.length()
                && "pPx".indexOf(pattern.charAt(start + 1)) >= 0
                && pattern.charAt(start + 2) == '{';
        int close = braces ? pattern.indexOf('}', start) : -1;
        return close < 0 ? Math.min(start + 2, pattern.length()) : close + 1;
    }

    private int classEnd(int start) throws GoCallException {
        int at = start + 1;
        at += pattern.startsWith("^", at) ? 1 : 0;
        at += pattern.startsWith("]", at) ? 1 : 0;
        while (at < pattern.length() && pattern.charAt(at) != ']') {
            int named = pattern.startsWith("[:", at) ? pattern.indexOf(":]", at + 2) : -1;
            at = named >= 0 ? named + 2 : pattern.charAt(at) == '\\' ? escapeEnd(at) : at + 1;
        }
        return Math.min(at + 1, pattern.length());
    }

    /** Opens a group, unless it only sets flags: then a repetition after it applies to what is before it. */
    private int openGroup(int start) {
        int end = start + 1;
        if (pattern.startsWith("?", end)) {
            end++;
            while (end < pattern.length() && "imsU-".indexOf(pattern.charAt(end)) >= 0) {
                end++;
            }
            if (pattern.startsWith(")", end)) {
                return end + 1;
            }
        }
        groups.push(new Group());
        return end;
    }

    private void closeGroup() {
        if (groups.size() > 1) {
            Group closed = groups.pop();
            closed.add(0, 1);
            group().add(closed.size + 2, closed.repeats);
        }
    }

    private int repeat(int start) throws GoCallException {
        int end = pattern.indexOf('}', start);
        String counts = end < 0 ? "" : pattern.substring(start + 1, end);
        int comma = counts.indexOf(',');
        long fewest = count(comma < 0 ? counts : counts.substring(0, comma));
        long most = comma < 0 || comma == counts.length() - 1 ? fewest : count(counts.substring(comma + 1));
        if (fewest < 0 || most < 0) {
            // Braces that are no repetition are text.
            group().add(1, 1);
            return start + 1;
        }
        Group group = group();
        group.lastRepeats = most == 0 ? 1 : group.lastRepeats * most;
        group.lastSize = (group.lastSize + 1) * Math.max(most, 1);
        if (group.lastRepeats > MOST_REPEATS) {
            throw new GoCallException("invalid repeat count");
        }
        return end + 1;
    }

    /** The number; -1 if it is none. */
    private static long count(String digits) {
        boolean isNumber = !digits.isEmpty()
                && digits.length() <= 4
                && digits.chars().allMatch(c -> c >= '0' && c <= '9')
                && (digits.length() == 1 || digits.charAt(0) != '0');
        return isNumber ? Long.parseLong(digits) : -1;
    }
}
