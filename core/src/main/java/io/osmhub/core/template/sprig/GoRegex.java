package io.osmhub.core.template.sprig;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.golang.text.Utf8Runes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A compiled regular expression over byte strings. A match takes time linear in the text and is charged before it starts. */
final class GoRegex {
    /** Bounds of a match and its groups: bytes from {@code bounds[2*i]} to {@code bounds[2*i+1]}, -1 for an unused group. */
    record Match(int[] bounds) {
        int start() {
            return bounds[0];
        }

        int end() {
            return bounds[1];
        }
    }

    /**
     * The library's machine recurses for each part that matches nothing. Up to this size that fits the usual stack; where it does
     * not, the overflow is caught, and the machine is not used again.
     */
    private static final int MAX_SIZE = 8_000;

    private static final int SQUARE_PER_STEP = 1_000;

    /** Moves of the matching machine per step. */
    private static final int MOVES_PER_STEP = 16;

    /**
     * A search rarely reads all of the rest, so each but the first is charged only this fraction; the time limit covers the rest.
     */
    private static final int USUAL_SHARE = 64;

    private final Pattern pattern;
    private final List<String> names;

    private GoRegex(Pattern pattern, List<String> names) {
        this.pattern = pattern;
        this.names = names;
    }

    static GoRegex compile(ExecutionEnvironment environment, String bytes) throws GoCallException {
        // Both the scan and the library look ahead to the end from some characters.
        long length = bytes.length();
        environment.charge(1 + length / 16 + length * length / SQUARE_PER_STEP, 2 * length);
        for (int i = 0; i < bytes.length(); i += Runes.sizeAt(bytes, i)) {
            if (Utf8Runes.runeAt(bytes, i) == Utf8Runes.BROKEN) {
                throw invalid("invalid UTF-8: `" + bytes.substring(i) + "`");
            }
        }
        RegexAnalyzer.Result scan = RegexAnalyzer.scan(GoString.text(bytes));
        environment.charge(scan.size(), 100 * scan.size());
        if (scan.size() > MAX_SIZE) {
            throw tooLarge();
        }
        Pattern pattern;
        try {
            pattern = Pattern.compile(scan.pattern());
        } catch (PatternSyntaxException invalid) {
            throw invalid(problem(invalid, scan.problem(), bytes));
        } catch (StackOverflowError deep) {
            throw tooLarge();
        }
        if (scan.problem() != null) {
            throw invalid(scan.problem());
        }
        return new GoRegex(pattern, scan.names());
    }

    private static LimitExceededException tooLarge() {
        return new LimitExceededException("a regular expression with too many parts");
    }

    private static GoCallException invalid(@Nullable String problem) {
        return new GoCallException("error parsing regexp: " + problem);
    }

    // The library's messages are Go's, except for quotes of the whole expression, which has been cut or rewritten.
    private static String problem(PatternSyntaxException invalid, @Nullable String later, String bytes) {
        String part = invalid.getPattern() == null ? "" : invalid.getPattern();
        if (part.equals("stack underflow")) {
            return "unexpected ): `" + bytes + "`";
        }
        if (!invalid.getDescription().equals("missing closing )")) {
            return invalid.getDescription() + ": `" + GoString.bytes(part) + "`";
        }
        return later == null ? invalid.getDescription() + ": `" + bytes + "`" : later;
    }

    /** As {@link #compile}, with the error of Go's {@code MustCompile}. */
    static GoRegex mustCompile(ExecutionEnvironment environment, String bytes) throws GoCallException {
        try {
            return compile(environment, bytes);
        } catch (GoCallException failure) {
            String quoted = GoQuote.canBackquote(bytes) ? "`" + bytes + "`" : GoQuote.quote(bytes);
            throw new GoCallException("regexp: Compile(" + quoted + "): " + failure.text());
        }
    }

    /** Number of the group with that name in the match, -1 if none. */
    int groupNamed(String name, Match match) {
        for (int i = 1; i < names.size(); i++) {
            if (names.get(i).equals(name) && 2 * i < match.bounds().length && match.bounds()[2 * i] >= 0) {
                return i;
            }
        }
        return -1;
    }

    /** A search in one text. The library works on characters, so positions are translated if the text is not ASCII. */
    final class Search {
        private final ExecutionEnvironment environment;
        private final String bytes;
        private final int[] offsets;
        private final Matcher matcher;
        private final int length;

        Search(ExecutionEnvironment environment, String bytes) {
            this.environment = environment;
            this.bytes = bytes;
            environment.charge(1 + moves(bytes.length()), 0);
            boolean ascii = bytes.chars().allMatch(c -> c < 0x80);
            if (ascii) {
                offsets = new int[0];
                matcher = pattern.matcher(bytes);
                length = bytes.length();
            } else {
                environment.charge(bytes.length(), 6L * bytes.length());
                offsets = new int[bytes.length() + 1];
                String text = characters();
                matcher = pattern.matcher(text);
                length = text.length();
            }
        }

        private long moves(int chars) {
            return (long) chars * pattern.programSize() / MOVES_PER_STEP;
        }

        private String characters() {
            StringBuilder text = new StringBuilder(bytes.length());
            for (int i = 0; i < bytes.length(); i += Runes.sizeAt(bytes, i)) {
                offsets[text.length()] = i;
                text.appendCodePoint(Runes.at(bytes, i));
            }
            offsets[text.length()] = bytes.length();
            return text.toString();
        }

        /** All matches, at most {@code limit} unless negative. An empty match directly after another is ignored. */
        List<Match> all(long limit) {
            List<Match> matches = new ArrayList<>();
            int position = 0;
            int lastEnd = -1;
            while (position <= length && (limit < 0 || matches.size() < limit) && find(position)) {
                int start = matcher.start();
                int end = matcher.end();
                if (end > start || start != lastEnd) {
                    matches.add(match());
                }
                lastEnd = end;
                position = end > position ? end : position + characterLength(position);
            }
            return matches;
        }

        private boolean find(int from) {
            environment.charge(4 + moves(length - from) / USUAL_SHARE, SprigArguments.SLOT_BYTES);
            try {
                return matcher.find(from);
            } catch (StackOverflowError deep) {
                throw tooLarge();
            }
        }

        boolean found() {
            return find(0);
        }

        private int characterLength(int position) {
            return offsets.length == 0 || position >= length ? 1 : Character.charCount(codePointAt(position));
        }

        private int codePointAt(int position) {
            return Runes.at(bytes, offsets[position]);
        }

        private Match match() {
            int[] bounds = new int[2 * (matcher.groupCount() + 1)];
            for (int i = 0; i < bounds.length / 2; i++) {
                bounds[2 * i] = offset(matcher.start(i));
                bounds[2 * i + 1] = offset(matcher.end(i));
            }
            return new Match(bounds);
        }

        private int offset(int position) {
            return position < 0 || offsets.length == 0 ? position : offsets[position];
        }
    }
}
