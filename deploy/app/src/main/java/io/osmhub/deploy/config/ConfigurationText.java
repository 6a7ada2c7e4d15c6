package io.osmhub.deploy.config;

import io.osmhub.core.document.Node;
import io.osmhub.core.document.Position;
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
 * Reads the configuration file: YAML 1.2, one document. Anchors, tags and duplicate keys are mistakes; they are reported with
 * all others, and reading goes on.
 */
final class ConfigurationText {
    private static final int DEEPEST = 50;
    private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");
    private static final Set<String> TRUE = Set.of("true", "True", "TRUE");
    private static final Set<String> FALSE = Set.of("false", "False", "FALSE");
    private static final Pattern INTEGER = Pattern.compile("[-+]?[0-9]{1,40}");
    private static final Pattern DECIMAL =
            Pattern.compile("[-+]?(\\.[0-9]{1,40}|[0-9]{1,40}(\\.[0-9]{0,40})?)([eE][-+]?[0-9]{1,3})?");

    private final Iterator<Event> events;
    private final Form.Reporter mistakes;

    private ConfigurationText(Iterator<Event> events, Form.Reporter mistakes) {
        this.events = events;
        this.mistakes = mistakes;
    }

    /** Null when the text is no YAML, which is reported, or holds nothing. */
    static @Nullable Node read(String text, Form.Reporter mistakes) {
        LoadSettings settings = LoadSettings.builder().setUseMarks(true).build();
        try {
            Iterator<Event> events = new Parse(settings).parseString(text).iterator();
            return new ConfigurationText(events, mistakes).documents();
        } catch (MarkedYamlEngineException e) {
            mistakes.add(
                    e.getProblemMark().map(ConfigurationText::position).orElse(Position.NONE),
                    "",
                    "is not YAML: " + e.getProblem(),
                    "correct it");
        } catch (YamlEngineException e) {
            mistakes.add(Position.NONE, "", "is not YAML: " + e.getMessage(), "correct it");
        }
        return null;
    }

    private @Nullable Node documents() {
        Node root = null;
        boolean second = false;
        while (events.hasNext()) {
            Event event = events.next();
            if (event.getEventId() == Event.ID.DocumentStart) {
                if (root != null && !second) {
                    mistakes.add(position(event), "", "is a second document", "keep one");
                    second = true;
                }
                Node document = node(events.next(), "", 0);
                root = root == null ? document : root;
            }
        }
        return root;
    }

    private Node node(Event event, String path, int depth) {
        Position at = position(event);
        if (depth > DEEPEST) {
            throw new YamlEngineException("nested too deeply");
        }
        if (event instanceof AliasEvent) {
            mistakes.add(at, path, "is an alias", "write the value out");
            return new Node.Scalar(Node.Kind.NULL, "", at);
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

    private void refuseTag(Optional<String> tag, String path, Position at) {
        if (tag.isPresent()) {
            mistakes.add(at, path, "has a tag", "remove it; quotes make a text");
        }
    }

    private Node items(String path, Position at, int depth) {
        List<Node> items = new ArrayList<>();
        for (Event event = events.next(); event.getEventId() != Event.ID.SequenceEnd; event = events.next()) {
            items.add(node(event, path + "[" + items.size() + "]", depth + 1));
        }
        return new Node.Items(items, at);
    }

    private Node fields(String path, Position at, int depth) {
        List<Node.Field> fields = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Event event = events.next(); event.getEventId() != Event.ID.MappingEnd; event = events.next()) {
            Position keyAt = position(event);
            Node key = node(event, path, depth + 1);
            String name = key instanceof Node.Scalar scalar ? scalar.text() : "";
            String field = path.isEmpty() ? name : path + "." + name;
            Node value = node(events.next(), field, depth + 1);
            if (name.isEmpty()) {
                mistakes.add(keyAt, path, "has a key that is " + key.describe(), "write a word");
            } else if (names.add(name)) {
                fields.add(new Node.Field(name, value, keyAt));
            } else {
                mistakes.add(keyAt, field, "is there twice", "keep one");
            }
        }
        return new Node.Fields(fields, at);
    }

    private Node scalar(ScalarEvent event, String path, Position at) {
        refuseTag(event.getTag(), path, at);
        String text = event.getValue();
        if (event.getScalarStyle() != ScalarStyle.PLAIN) {
            return new Node.Scalar(Node.Kind.TEXT, text, at);
        }
        if (NULLS.contains(text)) {
            return new Node.Scalar(Node.Kind.NULL, "", at);
        }
        if (TRUE.contains(text) || FALSE.contains(text)) {
            return new Node.Scalar(Node.Kind.BOOL, TRUE.contains(text) ? "true" : "false", at);
        }
        if (INTEGER.matcher(text).matches()) {
            return new Node.Scalar(Node.Kind.INTEGER, new BigInteger(text).toString(), at);
        }
        if (DECIMAL.matcher(text).matches()) {
            return new Node.Scalar(Node.Kind.DECIMAL, new BigDecimal(text).toPlainString(), at);
        }
        return new Node.Scalar(Node.Kind.TEXT, text, at);
    }

    private static Position position(Event event) {
        return event.getStartMark().map(ConfigurationText::position).orElse(Position.NONE);
    }

    private static Position position(Mark mark) {
        return new Position(mark.getLine() + 1, mark.getColumn() + 1);
    }
}
