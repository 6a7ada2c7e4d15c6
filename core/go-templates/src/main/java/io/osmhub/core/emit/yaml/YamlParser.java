package io.osmhub.core.emit.yaml;

import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.emit.TextSyntaxException;
import io.osmhub.core.emit.Utf8Bytes;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.ConstructNode;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ParserException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.scanner.StreamReader;
import org.snakeyaml.engine.v2.schema.Schema;

/**
 * Reads YAML into the library's nodes, with the tags that Go's libraries give to plain scalars. An alias is the node of its
 * anchor again, so a node may contain itself.
 */
public final class YamlParser {
    /** Begins the problem of a text that is nested too deeply. */
    public static final String TOO_DEEP = "is nested more than ";

    /** The problem of a tab where YAML requires spaces. */
    public static final String TAB = "found a tab character where an indentation space is expected";

    /** Each of these escapes costs another reading of the text. */
    private static final int MOST_SEPARATOR_ESCAPES = 100;

    private YamlParser() {}

    /**
     * All documents of a text, within the limits of {@link NestingTracker#ofDocument}.
     *
     * @throws LimitExceededException for more parts than a document may have
     */
    public static List<Node> parseDocuments(String text) throws TextSyntaxException {
        List<Node> documents = new ArrayList<>();
        parse(text, NestingTracker.ofDocument(), Integer.MAX_VALUE, documents);
        return documents;
    }

    /**
     * The first document of a text, null if there is none, within the limits of {@link NestingTracker#ofDocument}.
     *
     * @throws LimitExceededException for more parts than a document may have
     */
    public static @Nullable Node parseDocument(String text) throws TextSyntaxException {
        return parse(text, NestingTracker.ofDocument());
    }

    static @Nullable Node parse(String text, NestingTracker nesting) throws TextSyntaxException {
        List<Node> documents = new ArrayList<>();
        parse(text, nesting, 1, documents);
        return documents.isEmpty() ? null : documents.getFirst();
    }

    /** The tag in its short form, such as {@code !!str}. */
    public static String shortTag(Node node) {
        String tag = node.getTag().getValue();
        return tag.startsWith(Tag.PREFIX) ? "!!" + tag.substring(Tag.PREFIX.length()) : tag;
    }

    /** What a scalar without quotes stands for: nil, a bool, a number or text; timestamps are text. */
    public static GoValue plainValue(ScalarNode scalar) {
        return ImplicitTagResolver.resolve(scalar.getValue());
    }

    /** The line where a node begins, from 1. */
    public static int line(Node node) {
        return node.getStartMark().map(Mark::getLine).orElse(-1) + 1;
    }

    /** The column where a node begins, from 1, in characters. */
    public static int column(Node node) {
        return node.getStartMark().map(Mark::getColumn).orElse(-1) + 1;
    }

    private static void parse(String text, NestingTracker nesting, int most, List<Node> documents)
            throws TextSyntaxException {
        if (!Utf8Bytes.isValid(text)) {
            throw new TextSyntaxException(0, 0, "the text is not valid UTF-8");
        }
        // Go's libraries break lines at these, too. They read U+0085 as LF and keep the others.
        String lines =
                text.replace('\u0085', '\n').replace("\u2028", "\u2028\n").replace("\u2029", "\u2029\n");
        refuseControlCharacters(lines);
        refuseDirectives(lines);
        for (int escapes = 0; ; escapes++) {
            try {
                documents.addAll(compose(lines, nesting, most));
                return;
            } catch (MarkedYamlEngineException malformed) {
                String replaced = escapes < MOST_SEPARATOR_ESCAPES ? replaceEscape(lines, malformed) : null;
                if (replaced == null) {
                    Mark mark = position(malformed);
                    throw new TextSyntaxException(mark.getLine() + 1, mark.getColumn() + 1, describe(malformed));
                }
                lines = replaced;
            } catch (YamlEngineException malformed) {
                throw new TextSyntaxException(0, 0, "invalid syntax");
            }
        }
    }

    /** Where the error is; of a quote that is not closed, where it opens. */
    public static Mark position(MarkedYamlEngineException malformed) {
        boolean quoted = "while scanning a quoted scalar".equals(malformed.getContext());
        return (quoted ? malformed.getContextMark() : malformed.getProblemMark()).orElseThrow();
    }

    private static List<Node> compose(String text, NestingTracker nesting, int most) {
        LoadSettings settings = LoadSettings.builder()
                .setSchema(new GoSchema())
                .setCodePointLimit(Integer.MAX_VALUE)
                .setMaxAliasesForCollections(Integer.MAX_VALUE)
                .setBufferSize(text.length() + 1) // The library's reader fails where a buffer ends in a surrogate pair.
                .build();
        Composer composer = new Composer(settings, new CountingParser(settings, text, nesting));
        List<Node> documents = new ArrayList<>();
        while (documents.size() < most && composer.hasNext()) {
            documents.add(composer.next());
        }
        return documents;
    }

    /** The library does not know the escapes {@code \L} and {@code \P}. Null when the error is not about one. */
    private static @Nullable String replaceEscape(String text, MarkedYamlEngineException malformed) {
        String escape =
                switch (malformed.getProblem()) {
                    case "found unknown escape character L(76)" -> "u2028";
                    case "found unknown escape character P(80)" -> "u2029";
                    default -> null;
                };
        if (escape == null) {
            return null;
        }
        int at = text.offsetByCodePoints(
                0, malformed.getProblemMark().orElseThrow().getIndex());
        return text.substring(0, at) + escape + text.substring(at + 1);
    }

    /** Go's libraries know version 1.1 and tags only. */
    private static void refuseDirectives(String text) throws TextSyntaxException {
        int number = 0;
        for (String line : (Iterable<String>) text.lines()::iterator) {
            number++;
            if (!line.startsWith("%")) {
                return;
            }
            if (!line.startsWith("%YAML 1.1") && !line.startsWith("%TAG ")) {
                throw new TextSyntaxException(number, 1, "a directive that is not supported");
            }
        }
    }

    private static void refuseControlCharacters(String text) throws TextSyntaxException {
        int line = 1;
        int lineStart = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < ' ' && c != '\t' && c != '\n' && c != '\r') || (c >= 0x7F && c < 0xA0) || c >= 0xFFFE) {
                int column = text.codePointCount(lineStart, i) + 1;
                throw new TextSyntaxException(line, column, "control characters are not allowed");
            }
            if (c == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
    }

    /** In our words or Go's, because the library's may quote the text. */
    private static String describe(MarkedYamlEngineException malformed) {
        String problem = malformed.getProblem();
        String context = String.valueOf(malformed.getContext());
        if (malformed instanceof RefusedYamlException) {
            return problem;
        }
        return switch (problem) {
            case String block
            when block.startsWith("expected <block end>") ->
                context.contains("mapping") ? "did not find expected key" : "did not find expected '-' indicator";
            case String blanks when blanks.contains("the leading empty lines") -> "did not find expected key";
            case String alias when alias.startsWith("found undefined alias") -> "unknown anchor";
            case String token when token.startsWith("found character") && token.contains("TAB") -> TAB;
            case String token when token.startsWith("found character") -> "found character that cannot start any token";
            case "mapping values are not allowed here" -> "mapping values are not allowed in this context";
            case "could not find expected ':'" -> problem;
            default -> "invalid syntax";
        };
    }

    /** What the library takes and Go's do not, or what is beyond a limit. */
    private static final class RefusedYamlException extends ParserException {
        private static final long serialVersionUID = 1L;

        RefusedYamlException(String problem, Optional<Mark> at) {
            super(problem, at);
        }
    }

    /** Counts what is found, before nodes are made of it. */
    private static final class CountingParser extends ParserImpl {
        private final NestingTracker nesting;
        private int depth;

        CountingParser(LoadSettings settings, String text, NestingTracker nesting) {
            super(settings, new StreamReader(settings, text));
            this.nesting = nesting;
        }

        @Override
        public Event next() {
            Event event = super.next();
            switch (event) {
                case CollectionStartEvent start -> {
                    // A directive can give a short tag a long prefix.
                    nesting.charge(start.getTag().map(String::length).orElse(0));
                    if (++depth > nesting.maxDepth()) {
                        String problem = TOO_DEEP + nesting.maxDepth() + " levels deep";
                        throw new RefusedYamlException(problem, start.getStartMark());
                    }
                }
                case CollectionEndEvent end -> depth--;
                case ScalarEvent scalar -> {
                    nesting.charge(scalar.getValue().length()
                            + scalar.getTag().map(String::length).orElse(0));
                    return readAsGo(scalar);
                }
                default -> nesting.charge(0);
            }
            return event;
        }

        private static ScalarEvent readAsGo(ScalarEvent scalar) {
            String text = scalar.getValue();
            if (!Utf8Bytes.isValid(text)) {
                throw new RefusedYamlException("an escape is half of a surrogate pair", scalar.getStartMark());
            }
            boolean block = scalar.isLiteral() || scalar.isFolded();
            int first = 0;
            while (first < text.length() && text.charAt(first) == '\n') {
                first++;
            }
            if (block && text.startsWith("\t", first) && !hasIndentation(scalar)) {
                int line = scalar.getStartMark().orElseThrow().getLine() + 1 + first;
                throw new RefusedYamlException(TAB, Optional.of(new Mark("", 0, line, 0, new int[0], 0)));
            }
            boolean separated = text.indexOf(0x2028) >= 0 || text.indexOf(0x2029) >= 0;
            return separated && !isOneLine(scalar) ? joinSeparators(scalar) : scalar;
        }

        /** Whether the header of a block names the columns of its indentation. Else Go's libraries take no tab to begin it. */
        private static boolean hasIndentation(ScalarEvent block) {
            Mark start = block.getStartMark().orElseThrow();
            int indicator = start.getPointer() + 1;
            int[] buffer = start.getBuffer();
            for (int i = indicator; i < Math.min(indicator + 2, buffer.length); i++) {
                if (Character.isDigit(buffer[i])) {
                    return true;
                }
            }
            return false;
        }

        private static boolean isOneLine(ScalarEvent scalar) {
            return scalar.getStartMark()
                    .map(Mark::getLine)
                    .equals(scalar.getEndMark().map(Mark::getLine));
        }

        /** Takes out the line breaks that were added behind separators. */
        private static ScalarEvent joinSeparators(ScalarEvent scalar) {
            String text = scalar.getValue();
            for (String separator : List.of("\u2028", "\u2029")) {
                boolean ambiguous = scalar.isLiteral() ? text.endsWith(separator) : text.contains(" " + separator);
                if (scalar.isFolded() || ambiguous) {
                    throw new RefusedYamlException("U+2028 and U+2029 are not supported here", scalar.getStartMark());
                }
                text = text.replace(separator + (scalar.isLiteral() ? "\n" : " "), separator);
            }
            return new ScalarEvent(
                    scalar.getAnchor(),
                    scalar.getTag(),
                    scalar.getImplicit(),
                    text,
                    scalar.getScalarStyle(),
                    scalar.getStartMark(),
                    scalar.getEndMark());
        }
    }

    /** Gives plain scalars their tags. */
    private static final class GoSchema implements Schema {
        @Override
        public ScalarResolver getScalarResolver() {
            return (text, implicit) -> implicit ? ImplicitTagResolver.resolveTag(text) : Tag.STR;
        }

        @Override
        public Map<Tag, ConstructNode> getSchemaTagConstructors() {
            return Map.of();
        }
    }
}
