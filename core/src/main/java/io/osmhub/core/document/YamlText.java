package io.osmhub.core.document;

import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.api.ConstructNode;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.schema.Schema;

/**
 * Reads YAML files into positioned trees, with the meaning that {@code kubectl} gives to them: YAML 1.1's words for
 * booleans, octal numbers with a leading zero, merge keys.
 */
public final class YamlText {
    // An alias stands for a copy, so a small text can mean a huge tree.
    private static final int MAX_NODES = 200_000;
    private static final int MAX_DEPTH = 100;

    private static final Tag PLAIN = new Tag("plain");
    private static final Schema UNRESOLVED = new Schema() {
        @Override
        public ScalarResolver getScalarResolver() {
            return (value, implicit) -> implicit ? PLAIN : Tag.STR;
        }

        @Override
        public Map<Tag, ConstructNode> getSchemaTagConstructors() {
            return Map.of();
        }
    };

    private final String source;
    private final String reason;
    private int nodes;

    private YamlText(String source, String reason) {
        this.source = source;
        this.reason = reason;
    }

    /**
     * All documents of a file; empty ones are left out.
     *
     * @param source what messages call the text, a file's name
     * @param reason the reason of the mistake that is thrown when the text is no YAML
     */
    public static List<Document> read(String source, String text, String reason) {
        LoadSettings settings = LoadSettings.builder()
                .setLabel(source)
                .setAllowDuplicateKeys(true)
                .setUseMarks(true)
                .setSchema(UNRESOLVED)
                .build();
        YamlText reader = new YamlText(source, reason);
        List<Document> documents = new ArrayList<>();
        try {
            for (org.snakeyaml.engine.v2.nodes.Node root : new Compose(settings).composeAllFromString(text)) {
                Node node = reader.node(root, 0);
                if (!(node instanceof Node.Scalar scalar && scalar.kind() == Node.Kind.NULL)) {
                    documents.add(new Document(source, node));
                }
            }
        } catch (MarkedYamlEngineException e) {
            Position at = position(e.getProblemMark());
            throw reader.mistake(at, e.getProblem() == null ? "is no YAML" : e.getProblem());
        } catch (YamlEngineException e) {
            throw reader.mistake(Position.NONE, String.valueOf(e.getMessage()));
        }
        return documents;
    }

    private TenantMistake mistake(Position at, String what) {
        return new TenantMistake(new Finding(reason, source, "", at.line(), at.column(), what, "correct the YAML"));
    }

    private Node node(org.snakeyaml.engine.v2.nodes.Node yaml, int depth) {
        Position at = position(yaml.getStartMark());
        if (++nodes > MAX_NODES || depth > MAX_DEPTH) {
            throw mistake(at, nodes > MAX_NODES ? "has too many parts" : "is nested too deeply");
        }
        return switch (yaml) {
            case ScalarNode scalar -> scalar(scalar, at);
            case SequenceNode sequence -> {
                List<Node> items = new ArrayList<>(sequence.getValue().size());
                for (org.snakeyaml.engine.v2.nodes.Node item : sequence.getValue()) {
                    items.add(node(item, depth + 1));
                }
                yield new Node.Items(items, at);
            }
            case MappingNode mapping -> new Node.Fields(fields(mapping, depth), at);
            default -> throw mistake(at, "holds a node that is no YAML data");
        };
    }

    private List<Node.Field> fields(MappingNode mapping, int depth) {
        List<Node.Field> fields = new ArrayList<>(mapping.getValue().size());
        List<Node.Field> merged = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (NodeTuple tuple : mapping.getValue()) {
            Position at = position(tuple.getKeyNode().getStartMark());
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                throw mistake(at, "a key must be a string");
            }
            Node value = node(tuple.getValueNode(), depth + 1);
            if (key.getValue().equals("<<") && key.getTag().equals(PLAIN)) {
                merge(value, merged);
            } else if (names.add(key.getValue())) {
                fields.add(new Node.Field(key.getValue(), value, at));
            } else {
                throw mistake(at, "key \"" + key.getValue() + "\" is there twice");
            }
        }
        for (Node.Field field : merged) {
            if (names.add(field.name())) {
                fields.add(field);
            }
        }
        return fields;
    }

    private void merge(Node value, List<Node.Field> into) {
        switch (value) {
            case Node.Fields object -> into.addAll(object.fields());
            case Node.Items list -> list.nodes().forEach(item -> merge(item, into));
            case Node.Scalar scalar -> throw mistake(scalar.position(), "a merge key needs an object");
        }
    }

    private static Node scalar(ScalarNode scalar, Position at) {
        return scalar.getTag().equals(PLAIN)
                ? PlainScalar.read(scalar.getValue(), at)
                : new Node.Scalar(Node.Kind.TEXT, scalar.getValue(), at);
    }

    private static Position position(Optional<Mark> mark) {
        return mark.map(m -> new Position(m.getLine() + 1, m.getColumn() + 1)).orElse(Position.NONE);
    }
}
