package io.osmhub.core.emit.yaml;

import io.osmhub.core.emit.yaml.YamlNode.Style;
import io.osmhub.core.emit.yaml.YamlNode.YamlMark;
import io.osmhub.core.emit.yaml.YamlScanner.YamlToken.Kind;
import io.osmhub.core.golang.GoCallException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a document into tokens. Indentation becomes tokens too: a start token where a column is reached, {@code BLOCK_END} where
 * it is left.
 *
 * <p>That {@code a} is a key is known only at the colon after it. So at each place where a key may begin the position is kept as
 * a candidate, and at the colon the key's tokens are put into the queue before those of its text. A candidate stays within one
 * line and 1024 characters. One that stands at the current indentation must become a key: there is nothing else it could be.
 */
final class YamlScanner {
    /** Where a key may have begun; {@code token} is the number of its first token. */
    private record Candidate(boolean required, int token, YamlMark mark) {}

    private static final int LONGEST_KEY = 1024;
    /** Tokens known beyond the current one. Decides which of two errors is met first. */
    private static final int LOOKAHEAD = 2;

    private final YamlCharacterReader source;
    private final YamlScalarScanner scalars;
    private final YamlTagScanner tags;
    private final int maxDepth;

    private final List<YamlToken> queue = new ArrayList<>();
    private int head;
    private int taken;
    private boolean fetched;

    private int indent = -1;
    private final Deque<Integer> indents = new ArrayDeque<>();
    /** One for each level of flow collections, that of the block level first; null where there is none. */
    private final List<@Nullable Candidate> candidates = new ArrayList<>();

    private boolean keyAllowed = true;

    YamlScanner(YamlCharacterReader source, int maxDepth) {
        this.source = source;
        this.maxDepth = maxDepth;
        this.scalars = new YamlScalarScanner(source);
        this.tags = new YamlTagScanner(source);
        candidates.add(null);
        queue.add(YamlToken.of(Kind.STREAM_START, source.mark(), source.mark()));
    }

    YamlToken peek() throws GoCallException {
        while (!fetched && needsMore()) {
            fetch();
        }
        fetched = true;
        return queue.get(head);
    }

    YamlToken next() throws GoCallException {
        YamlToken token = peek();
        head++;
        taken++;
        fetched = false;
        if (head > 256) {
            queue.subList(0, head).clear();
            head = 0;
        }
        return token;
    }

    private boolean needsMore() throws GoCallException {
        if (head >= queue.size() - LOOKAHEAD) {
            return true;
        }
        // The current token may yet turn out to be the beginning of a key.
        for (int i = 0; i < candidates.size(); i++) {
            Candidate candidate = candidates.get(i);
            if (candidate != null && candidate.token() == taken) {
                return isStillPossible(i);
            }
        }
        return false;
    }

    private boolean inFlow() {
        return candidates.size() > 1;
    }

    private void fetch() throws GoCallException {
        skipToToken();
        unrollTo(source.column());
        source.check(4);
        if (source.atEnd()) {
            streamEnd();
            return;
        }
        if (source.column() == 0) {
            if (source.peek() == '%') {
                directive();
                return;
            }
            if (source.atDocumentIndicator()) {
                documentIndicator(source.atDocumentStart() ? Kind.DOCUMENT_START : Kind.DOCUMENT_END);
                return;
            }
        }
        switch (source.peek()) {
            case '[' -> flowStart(Kind.FLOW_SEQUENCE_START);
            case '{' -> flowStart(Kind.FLOW_MAPPING_START);
            case ']' -> flowEnd(Kind.FLOW_SEQUENCE_END);
            case '}' -> flowEnd(Kind.FLOW_MAPPING_END);
            case ',' -> flowEntry();
            case '*', '&', '!', '\'', '"' -> {
                saveCandidate();
                keyAllowed = false;
                queue.add(marked(source.peek()));
            }
            default -> fetchByContext();
        }
    }

    private YamlToken marked(char c) throws GoCallException {
        return switch (c) {
            case '*' -> tags.scanAnchor(Kind.ALIAS);
            case '&' -> tags.scanAnchor(Kind.ANCHOR);
            case '!' -> tags.scanTag();
            case '\'' -> scalars.scanQuoted(Style.SINGLE_QUOTED);
            default -> scalars.scanQuoted(Style.DOUBLE_QUOTED);
        };
    }

    /** What begins with a character whose meaning depends on what stands around it. */
    private void fetchByContext() throws GoCallException {
        char c = source.peek();
        boolean beforeBlank = source.atBlankOrEnd(1);
        if (c == '-' && beforeBlank) {
            blockEntry();
        } else if (c == '?' && (inFlow() || beforeBlank)) {
            key();
        } else if (c == ':' && (inFlow() || beforeBlank)) {
            value();
        } else if ((c == '|' || c == '>') && !inFlow()) {
            removeCandidate();
            keyAllowed = true;
            queue.add(scalars.scanBlock(c == '|' ? Style.LITERAL : Style.FOLDED, indent));
        } else if (beginsPlain(c, beforeBlank)) {
            saveCandidate();
            keyAllowed = false;
            queue.add(scalars.scanPlain(indent + 1, inFlow()));
            keyAllowed = scalars.endedAfterBreak();
        } else {
            throw YamlMark.scannerError(source.mark(), source.mark(), "found character that cannot start any token");
        }
    }

    private boolean beginsPlain(char c, boolean beforeBlank) {
        return switch (c) {
            case '-' -> true;
            case '?', ':' -> !inFlow() && !beforeBlank;
            case '|', '>', '#', '%', '@', '`', '\t' -> false;
            default -> true;
        };
    }

    private void skipToToken() throws GoCallException {
        while (true) {
            source.check(1);
            while (source.peek() == ' ' || ((inFlow() || !keyAllowed) && source.peek() == '\t')) {
                source.skip();
                source.check(1);
            }
            if (source.peek() == '#') {
                while (!source.atBreakOrEnd()) {
                    source.skip();
                    source.check(1);
                }
            }
            if (!source.atBreak()) {
                return;
            }
            source.skipLine();
            if (!inFlow()) {
                keyAllowed = true;
            }
        }
    }

    // Indentation

    private void unrollTo(int column) {
        while (!inFlow() && indent > column) {
            queue.add(YamlToken.of(Kind.BLOCK_END, source.mark(), source.mark()));
            indent = indents.pop();
        }
    }

    /** Begins a block collection at a column, unless it has begun; its token becomes the one of that number. */
    private void rollTo(int column, int number, Kind kind, YamlMark mark) throws GoCallException {
        if (inFlow() || indent >= column) {
            return;
        }
        indents.push(indent);
        indent = column;
        checkLevels(indents.size());
        queue.add(number - taken + head, YamlToken.of(kind, mark, mark));
    }

    private void checkLevels(int levels) throws GoCallException {
        if (levels > maxDepth) {
            throw YamlMark.scannerError(source.mark(), source.mark(), "exceeded max depth of " + maxDepth);
        }
    }

    // Candidates for keys

    private boolean isStillPossible(int level) throws GoCallException {
        Candidate candidate = candidates.get(level);
        if (candidate == null) {
            return false;
        }
        YamlMark mark = candidate.mark();
        if (mark.line() < source.line() || mark.index() + LONGEST_KEY < source.index()) {
            failIfRequired(candidate);
            candidates.set(level, null);
            return false;
        }
        return true;
    }

    private void failIfRequired(Candidate candidate) throws GoCallException {
        if (candidate.required()) {
            throw YamlMark.scannerError(candidate.mark(), source.mark(), "could not find expected ':'");
        }
    }

    private void saveCandidate() throws GoCallException {
        if (keyAllowed) {
            boolean required = !inFlow() && indent == source.column();
            Candidate candidate = new Candidate(required, taken + queue.size() - head, source.mark());
            removeCandidate();
            candidates.set(candidates.size() - 1, candidate);
        }
    }

    private void removeCandidate() throws GoCallException {
        Candidate candidate = candidates.getLast();
        if (candidate != null) {
            failIfRequired(candidate);
            candidates.set(candidates.size() - 1, null);
        }
    }

    // Tokens

    private void add(Kind kind, int characters) {
        YamlMark start = source.mark();
        source.skip(characters);
        queue.add(YamlToken.of(kind, start, source.mark()));
    }

    private void streamEnd() throws GoCallException {
        source.endLine();
        unrollTo(-1);
        removeCandidate();
        keyAllowed = false;
        queue.add(YamlToken.of(Kind.STREAM_END, source.mark(), source.mark()));
    }

    private void directive() throws GoCallException {
        unrollTo(-1);
        removeCandidate();
        keyAllowed = false;
        queue.add(tags.scanDirective());
    }

    private void documentIndicator(Kind kind) throws GoCallException {
        unrollTo(-1);
        removeCandidate();
        keyAllowed = false;
        add(kind, 3);
    }

    private void flowStart(Kind kind) throws GoCallException {
        saveCandidate();
        candidates.add(null);
        checkLevels(candidates.size() - 1);
        keyAllowed = true;
        add(kind, 1);
    }

    private void flowEnd(Kind kind) throws GoCallException {
        removeCandidate();
        if (inFlow()) {
            candidates.removeLast();
        }
        keyAllowed = false;
        add(kind, 1);
    }

    private void flowEntry() throws GoCallException {
        removeCandidate();
        keyAllowed = true;
        add(Kind.FLOW_ENTRY, 1);
    }

    private void blockEntry() throws GoCallException {
        if (!inFlow()) {
            if (!keyAllowed) {
                throw notAllowed("block sequence entries");
            }
            rollTo(source.column(), nextNumber(), Kind.BLOCK_SEQUENCE_START, source.mark());
        }
        removeCandidate();
        keyAllowed = true;
        add(Kind.BLOCK_ENTRY, 1);
    }

    private void key() throws GoCallException {
        if (!inFlow()) {
            if (!keyAllowed) {
                throw notAllowed("mapping keys");
            }
            rollTo(source.column(), nextNumber(), Kind.BLOCK_MAPPING_START, source.mark());
        }
        removeCandidate();
        keyAllowed = !inFlow();
        add(Kind.KEY, 1);
    }

    private void value() throws GoCallException {
        int level = candidates.size() - 1;
        Candidate candidate = candidates.get(level);
        if (candidate != null && isStillPossible(level)) {
            queue.add(candidate.token() - taken + head, YamlToken.of(Kind.KEY, candidate.mark(), candidate.mark()));
            rollTo(candidate.mark().column(), candidate.token(), Kind.BLOCK_MAPPING_START, candidate.mark());
            candidates.set(level, null);
            keyAllowed = false; // one short key cannot follow another
        } else {
            if (!inFlow()) {
                if (!keyAllowed) {
                    throw notAllowed("mapping values");
                }
                rollTo(source.column(), nextNumber(), Kind.BLOCK_MAPPING_START, source.mark());
            }
            keyAllowed = !inFlow();
        }
        add(Kind.VALUE, 1);
    }

    private int nextNumber() {
        return taken + queue.size() - head;
    }

    private GoCallException notAllowed(String what) {
        return YamlMark.scannerError(source.mark(), source.mark(), what + " are not allowed in this context");
    }

    /**
     * A word of YAML.
     *
     * @param text a scalar's text, an anchor's or alias's name, a tag's suffix, a directive's prefix; else empty
     * @param handle handle of a tag or of a tag directive
     */
    record YamlToken(Kind kind, YamlMark start, YamlMark end, String text, String handle, YamlNode.Style style) {
        enum Kind {
            STREAM_START,
            STREAM_END,
            VERSION_DIRECTIVE,
            TAG_DIRECTIVE,
            DOCUMENT_START,
            DOCUMENT_END,
            BLOCK_SEQUENCE_START,
            BLOCK_MAPPING_START,
            BLOCK_END,
            FLOW_SEQUENCE_START,
            FLOW_SEQUENCE_END,
            FLOW_MAPPING_START,
            FLOW_MAPPING_END,
            BLOCK_ENTRY,
            FLOW_ENTRY,
            KEY,
            VALUE,
            ALIAS,
            ANCHOR,
            TAG,
            SCALAR
        }

        static YamlToken of(Kind kind, YamlMark start, YamlMark end) {
            return new YamlToken(kind, start, end, "", "", YamlNode.Style.PLAIN);
        }

        static YamlToken named(Kind kind, YamlMark start, YamlMark end, String text) {
            return new YamlToken(kind, start, end, text, "", YamlNode.Style.PLAIN);
        }
    }
}
