package io.osmhub.core.document;

import io.osmhub.core.emit.yaml.YamlDocuments;
import io.osmhub.core.emit.yaml.YamlNode;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.LimitExceeded;
import io.osmhub.core.golang.Str;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads YAML files into positioned trees, with the meaning that {@code kubectl} gives to them: YAML 1.1's words for
 * booleans, octal numbers with a leading zero, merge keys.
 */
public final class YamlText {
    // An alias stands for a copy, so a small text can mean a huge tree.
    private static final int MAX_NODES = 200_000;
    private static final int MAX_DEPTH = 100;
    private static final String LINE = "line ";

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
        YamlText reader = new YamlText(source, reason);
        List<Document> documents = new ArrayList<>();
        try {
            for (YamlNode root : YamlDocuments.read(Str.bytes(text))) {
                Node node = reader.node(root, 0);
                if (!(node instanceof Node.Scalar scalar && scalar.kind() == Node.Kind.NULL)) {
                    documents.add(new Document(source, node));
                }
            }
        } catch (CallFailure e) {
            throw reader.mistake(new Position(line(e.text()), 0), withoutContent(Str.text(e.text())));
        } catch (LimitExceeded e) {
            throw reader.mistake(Position.NONE, String.valueOf(e.getMessage()));
        }
        return documents;
    }

    /** The name of an anchor may be a password that was meant to be in quotes. */
    private static String withoutContent(String message) {
        return message.contains("unknown anchor '") ? "yaml: a plain text begins with *, which wants quotes" : message;
    }

    /** The line that a message of the YAML reader names, 0 when it names none. */
    private static int line(String message) {
        int at = message.indexOf(LINE);
        int line = 0;
        for (int i = at + LINE.length(); at >= 0 && i < message.length() && i < at + 12; i++) {
            int digit = message.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                break;
            }
            line = line * 10 + digit;
        }
        return line;
    }

    private TenantMistake mistake(Position at, String what) {
        return new TenantMistake(new Finding(reason, source, "", at.line(), at.column(), what, "correct the YAML"));
    }

    private Node node(YamlNode yaml, int depth) {
        Position at = position(yaml);
        if (++nodes > MAX_NODES || depth > MAX_DEPTH) {
            throw mistake(at, nodes > MAX_NODES ? "has too many parts" : "is nested too deeply");
        }
        return switch (yaml) {
            case YamlNode.Scalar scalar -> scalar(scalar, at);
            case YamlNode.Sequence sequence -> {
                List<Node> items = new ArrayList<>(sequence.items().size());
                for (YamlNode item : sequence.items()) {
                    items.add(node(item, depth + 1));
                }
                yield new Node.Items(items, at);
            }
            case YamlNode.Mapping mapping -> new Node.Fields(fields(mapping, depth), at);
            case YamlNode.Alias alias -> node(alias.anchor().node(), depth + 1);
        };
    }

    private List<Node.Field> fields(YamlNode.Mapping mapping, int depth) {
        List<Node.Field> fields = new ArrayList<>(mapping.entries().size());
        List<Node.Field> merged = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (YamlNode.Entry entry : mapping.entries()) {
            Position at = position(entry.key());
            if (!(entry.key() instanceof YamlNode.Scalar key)) {
                throw mistake(at, "a key must be a string");
            }
            String name = Str.text(key.text());
            Node value = node(entry.value(), depth + 1);
            if (name.equals("<<") && key.style() == YamlNode.Style.PLAIN) {
                merge(value, merged);
            } else if (names.add(name)) {
                fields.add(new Node.Field(name, value, at));
            } else {
                throw mistake(at, "key \"" + name + "\" is there twice");
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

    private static Node scalar(YamlNode.Scalar scalar, Position at) {
        String text = Str.text(scalar.text());
        if (scalar.style() == YamlNode.Style.PLAIN) {
            Node plain = PlainScalar.read(text, at);
            // A tag may say that it is a string; only words that are booleans in YAML 1.1 look like strings to the
            // parser.
            if (!scalar.tag().equals("!!str") || (plain instanceof Node.Scalar it && it.kind() == Node.Kind.BOOL)) {
                return plain;
            }
        }
        return new Node.Scalar(Node.Kind.TEXT, text, at);
    }

    private static Position position(YamlNode yaml) {
        return new Position(yaml.position().line(), yaml.position().column());
    }
}
