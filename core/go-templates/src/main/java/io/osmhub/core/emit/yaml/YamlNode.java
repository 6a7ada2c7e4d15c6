package io.osmhub.core.emit.yaml;

import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoCallException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A document as it was written, for those who have to know more than its values: where things stand, and in which style. Text is
 * bytes as chars.
 */
public sealed interface YamlNode {
    /**
     * Reads the documents of a text in order, within the limits of {@link NestingTracker#ofDocument}. Text is bytes as chars.
     *
     * @throws GoCallException with the Go library's words for what it refuses
     * @throws LimitExceededException for more parts than a document may have
     */
    static List<YamlNode> readAll(String bytes) throws GoCallException {
        return YamlNodeParser.parseAll(bytes, NestingTracker.ofDocument());
    }

    /** How a scalar was written. */
    enum Style {
        PLAIN,
        SINGLE_QUOTED,
        DOUBLE_QUOTED,
        LITERAL,
        FOLDED
    }

    /** Where it begins; line and column from 1, the column in characters. */
    record Position(int line, int column) {}

    /** {@code tag} is the explicit or implied one in its short form, like {@code !!str}. */
    record Scalar(Position position, String tag, String text, Style style) implements YamlNode {}

    /** {@code tag} is {@code !!seq} unless there is an explicit one. */
    record Sequence(Position position, String tag, List<YamlNode> items) implements YamlNode {}

    /** {@code tag} is {@code !!map} unless there is an explicit one. */
    record Mapping(Position position, String tag, List<Entry> entries) implements YamlNode {}

    /** A reference to an anchor. What it stands for may contain the reference itself. */
    record Alias(Position position, String name, YamlAnchor anchor) implements YamlNode {
        @Override
        public String tag() {
            return anchor.node().tag();
        }
    }

    /** One key and its value, in the document's order. */
    record Entry(YamlNode key, YamlNode value) {}

    /** Where the node begins. */
    Position position();

    String tag();

    /** A named node; known by its name before all of the node has been read. */
    final class YamlAnchor {
        private @Nullable YamlNode node;

        YamlAnchor() {}

        void resolve(YamlNode named) {
            node = named;
        }

        /** The node. Only to be asked when the document has been read. */
        public YamlNode node() {
            return Objects.requireNonNull(node, "the anchor's node has not been read yet");
        }
    }

    /** A position in a document, line and column from 0; {@code index} counts characters from its beginning. */
    record YamlMark(int index, int line, int column) {
        /**
         * An error that the scanner found while it was reading what began at {@code context}. As in Go the line is left out where
         * it would be the first.
         */
        static GoCallException scannerError(YamlMark context, YamlMark problem, String text) {
            int line = context.line() != 0 ? context.line() : problem.line();
            return failure(line == 0 ? 0 : line + 1, text);
        }

        /** An error that the parser found in something that began at {@code context}. Go counts its lines from 0. */
        static GoCallException parserError(YamlMark context, YamlMark problem, String text) {
            return failure(context.line() != 0 ? context.line() : problem.line(), text);
        }

        private static GoCallException failure(int line, String text) {
            return new GoCallException(line == 0 ? "yaml: " + text : "yaml: line " + line + ": " + text);
        }
    }
}
