package io.osmhub.deploy.config;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.emit.yaml.YamlParser;
import io.osmhub.core.problem.SourcePosition;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Parses the configuration file: YAML 1.2, one document. Anchors, tags and duplicate keys are errors; they are reported and
 * parsing continues.
 */
final class ConfigurationParser {
    private static final int DEEPEST = 50;
    private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");
    private static final Set<String> TRUE = Set.of("true", "True", "TRUE");
    private static final Set<String> FALSE = Set.of("false", "False", "FALSE");
    private static final Pattern INTEGER = Pattern.compile("[-+]?[0-9]{1,40}");
    private static final Pattern DECIMAL =
            Pattern.compile("[-+]?(\\.[0-9]{1,40}|[0-9]{1,40}(\\.[0-9]{0,40})?)([eE][-+]?[0-9]{1,3})?");

    /** Receives errors. */
    interface ErrorReporter {
        /** {@code key} is empty for the whole text; {@code at} is the position in it. */
        void add(SourcePosition at, String key, String what, String cure);
    }

    private final Iterator<Event> events;
    private final ErrorReporter mistakes;

    private ConfigurationParser(Iterator<Event> events, ErrorReporter mistakes) {
        this.events = events;
        this.mistakes = mistakes;
    }

    /** Returns null if the text is not YAML, which is reported, or empty. */
    static @Nullable DocumentNode read(String text, ErrorReporter mistakes) {
        LoadSettings settings = LoadSettings.builder().setUseMarks(true).build();
        try {
            Iterator<Event> events = new Parse(settings).parseString(text).iterator();
            return new ConfigurationParser(events, mistakes).documents();
        } catch (MarkedYamlEngineException e) {
            Mark mark = YamlParser.position(e);
            mistakes.add(
                    new SourcePosition(mark.getLine() + 1, mark.getColumn() + 1),
                    "",
                    "is not valid YAML: " + e.getProblem(),
                    "correct it");
        } catch (YamlEngineException e) {
            mistakes.add(SourcePosition.NONE, "", "is not valid YAML: " + e.getMessage(), "correct it");
        }
        return null;
    }

    private @Nullable DocumentNode documents() {
        DocumentNode root = null;
        boolean second = false;
        while (events.hasNext()) {
            Event event = events.next();
            if (event.getEventId() == Event.ID.DocumentStart) {
                if (root != null && !second) {
                    mistakes.add(position(event), "", "contains a second document", "keep one");
                    second = true;
                }
                DocumentNode document = node(events.next(), "", 0);
                root = root == null ? document : root;
            }
        }
        return root;
    }

    private DocumentNode node(Event event, String path, int depth) {
        SourcePosition at = position(event);
        if (depth > DEEPEST) {
            throw new YamlEngineException("nested too deeply");
        }
        if (event instanceof AliasEvent) {
            mistakes.add(at, path, "is an alias", "write the value");
            return new DocumentNode.Scalar(DocumentNode.Kind.NULL, "", at);
        }
        if (event instanceof NodeEvent node && node.getAnchor().isPresent()) {
            mistakes.add(at, path, "has an anchor", "remove it");
        }
        return switch (event.getEventId()) {
            case Scalar -> scalar((ScalarEvent) event, path, at);
            case SequenceStart -> {
                refuseTag(((org.snakeyaml.engine.v2.events.CollectionStartEvent) event).getTag(), path, at);
                yield items(path, at, depth);
            }
            case MappingStart -> {
                refuseTag(((org.snakeyaml.engine.v2.events.CollectionStartEvent) event).getTag(), path, at);
                yield fields(path, at, depth);
            }
            case Alias, Comment, DocumentEnd, DocumentStart, MappingEnd, SequenceEnd, StreamEnd, StreamStart ->
                throw new YamlEngineException("ends too early");
        };
    }

    private void refuseTag(Optional<String> tag, String path, SourcePosition at) {
        if (tag.isPresent()) {
            mistakes.add(at, path, "has a tag", "remove it; use quotes for a string");
        }
    }

    private DocumentNode items(String path, SourcePosition at, int depth) {
        List<DocumentNode> items = new ArrayList<>();
        for (Event event = events.next(); event.getEventId() != Event.ID.SequenceEnd; event = events.next()) {
            items.add(node(event, path + "[" + items.size() + "]", depth + 1));
        }
        return new DocumentNode.Items(items, at);
    }

    private DocumentNode fields(String path, SourcePosition at, int depth) {
        List<DocumentNode.Field> fields = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Event event = events.next(); event.getEventId() != Event.ID.MappingEnd; event = events.next()) {
            SourcePosition keyAt = position(event);
            DocumentNode key = node(event, path, depth + 1);
            String name = key instanceof DocumentNode.Scalar scalar ? scalar.text() : "";
            String field = path.isEmpty() ? name : path + "." + name;
            DocumentNode value = node(events.next(), field, depth + 1);
            if (name.isEmpty()) {
                mistakes.add(keyAt, path, "has a key that is " + key.describe(), "use a string");
            } else if (names.add(name)) {
                fields.add(new DocumentNode.Field(name, value, keyAt));
            } else {
                mistakes.add(keyAt, field, "is duplicate", "keep one");
            }
        }
        return new DocumentNode.Fields(fields, at);
    }

    private DocumentNode scalar(ScalarEvent event, String path, SourcePosition at) {
        refuseTag(event.getTag(), path, at);
        String text = event.getValue();
        if (event.getScalarStyle() != ScalarStyle.PLAIN) {
            return new DocumentNode.Scalar(DocumentNode.Kind.TEXT, text, at);
        }
        if (NULLS.contains(text)) {
            return new DocumentNode.Scalar(DocumentNode.Kind.NULL, "", at);
        }
        if (TRUE.contains(text) || FALSE.contains(text)) {
            return new DocumentNode.Scalar(DocumentNode.Kind.BOOL, TRUE.contains(text) ? "true" : "false", at);
        }
        if (INTEGER.matcher(text).matches()) {
            return new DocumentNode.Scalar(DocumentNode.Kind.INTEGER, new BigInteger(text).toString(), at);
        }
        if (DECIMAL.matcher(text).matches()) {
            return new DocumentNode.Scalar(DocumentNode.Kind.DECIMAL, new BigDecimal(text).toPlainString(), at);
        }
        return new DocumentNode.Scalar(DocumentNode.Kind.TEXT, text, at);
    }

    private static SourcePosition position(Event event) {
        return event.getStartMark().map(ConfigurationParser::position).orElse(SourcePosition.NONE);
    }

    private static SourcePosition position(Mark mark) {
        return new SourcePosition(mark.getLine() + 1, mark.getColumn() + 1);
    }
}
