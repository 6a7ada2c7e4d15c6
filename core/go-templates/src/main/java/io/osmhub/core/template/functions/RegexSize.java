package io.osmhub.core.template.functions;

import io.osmhub.core.golang.GoCallException;

/**
 * Measures a regular expression before it is compiled, since the library has no limit: repetitions copy what they repeat, so that
 * nested ones multiply. Syntax errors are left to the library.
 */
final class RegexSize {
    /** Go's limit for the product of the counts of nested repetitions. */
    private static final long MOST_REPEATS = 1_000;

    /** What was measured: an upper bound for the number of instructions, and the largest product of counts. */
    private record Measure(long size, long repeats) {}

    private final String pattern;
    private int position;

    private RegexSize(String pattern) {
        this.pattern = pattern;
    }

    /**
     * An upper bound for the number of instructions of the compiled expression.
     *
     * @throws GoCallException for repetitions that Go refuses
     */
    static long measure(String pattern) throws GoCallException {
        RegexSize measured = new RegexSize(pattern);
        long size = 0;
        // More than once only for a closing parenthesis too many, which the library refuses.
        while (measured.position < pattern.length()) {
            size += measured.measureGroup().size;
        }
        return size;
    }

    /** Measures up to the end of the group, after its closing parenthesis. */
    private Measure measureGroup() throws GoCallException {
        long size = 2;
        long repeats = 1;
        // The last part, to which a repetition applies.
        Measure last = new Measure(0, 1);
        while (position < pattern.length() && pattern.charAt(position) != ')') {
            long count = skipCount();
            if (count >= 0) {
                last = new Measure((last.size + 1) * Math.max(count, 1), count == 0 ? 1 : last.repeats * count);
                if (last.repeats > MOST_REPEATS) {
                    throw new GoCallException("error parsing regexp: invalid repeat count");
                }
            } else if ("*+?|".indexOf(pattern.charAt(position)) >= 0) {
                position++;
                size++;
            } else if (!skipFlags()) {
                size += last.size;
                repeats = Math.max(repeats, last.repeats);
                last = measurePart();
            }
        }
        position++;
        return new Measure(size + last.size, Math.max(repeats, last.repeats));
    }

    private Measure measurePart() throws GoCallException {
        int start = position;
        switch (pattern.charAt(position)) {
            case '(' -> {
                // The question mark of a group that does not capture is no repetition.
                position += pattern.startsWith("(?", position) ? 2 : 1;
                return measureGroup();
            }
            case '[' -> skipClass();
            case '\\' -> position = escapeEnd(position);
            default -> position++;
        }
        return new Measure(pattern.charAt(start) == '\\' ? position - start : 1, 1);
    }

    /** Skips a group that only sets flags: a repetition after it applies to what is before it. */
    private boolean skipFlags() {
        int end = position + 2;
        while (end < pattern.length() && "imsU-".indexOf(pattern.charAt(end)) >= 0) {
            end++;
        }
        boolean found = pattern.startsWith("(?", position) && pattern.startsWith(")", end);
        position = found ? end + 1 : position;
        return found;
    }

    private int escapeEnd(int start) throws GoCallException {
        if (pattern.startsWith("\\Q", start)) {
            int end = pattern.indexOf("\\E", start);
            return end < 0 ? pattern.length() : end + 2;
        }
        if (start + 1 < pattern.length() && pattern.charAt(start + 1) >= 0x80) {
            throw new GoCallException("error parsing regexp: invalid escape sequence");
        }
        boolean braces = pattern.startsWith("{", start + 2) && "pPx".indexOf(pattern.charAt(start + 1)) >= 0;
        int close = braces ? pattern.indexOf('}', start) : -1;
        return close < 0 ? Math.min(start + 2, pattern.length()) : close + 1;
    }

    private void skipClass() throws GoCallException {
        position++;
        position += pattern.startsWith("^", position) ? 1 : 0;
        position += pattern.startsWith("]", position) ? 1 : 0;
        while (position < pattern.length() && pattern.charAt(position) != ']') {
            int named = pattern.startsWith("[:", position) ? pattern.indexOf(":]", position + 2) : -1;
            boolean escape = pattern.charAt(position) == '\\';
            position = named >= 0 ? named + 2 : escape ? escapeEnd(position) : position + 1;
        }
        position = Math.min(position + 1, pattern.length());
    }

    /** Skips a repetition in braces; returns its largest count, or -1 for braces that are text. */
    private long skipCount() {
        int end = pattern.startsWith("{", position) ? pattern.indexOf('}', position) : -1;
        String counts = end < 0 ? "" : pattern.substring(position + 1, end);
        int comma = counts.indexOf(',');
        long fewest = count(comma < 0 ? counts : counts.substring(0, comma));
        long most = comma < 0 || comma == counts.length() - 1 ? fewest : count(counts.substring(comma + 1));
        position = fewest < 0 || most < 0 ? position : end + 1;
        return Math.min(fewest, most) < 0 ? -1 : most;
    }

    /** The number; -1 if it is none. */
    private static long count(String digits) {
        boolean isNumber = digits.length() <= 4 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        boolean padded = digits.length() > 1 && digits.charAt(0) == '0';
        return digits.isEmpty() || !isNumber || padded ? -1 : Long.parseLong(digits);
    }
}
