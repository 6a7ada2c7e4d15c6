package io.osmhub.core.document;

import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.emit.TextSyntaxException;
import io.osmhub.core.emit.yaml.YamlParser;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoBool;
import io.osmhub.core.golang.GoValue.GoFloat;
import io.osmhub.core.golang.GoValue.GoInt;
import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.SourcePosition;
import io.osmhub.core.problem.TenantMistake;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Reads YAML files into trees with positions, as {@code kubectl} does: YAML 1.1 booleans, octal numbers with a leading zero, merge
 * keys.
 */
public final class YamlDocumentReader {
    /** A longer text is not read. */
    private static final int MAX_CHARS = 8 << 20;

    /** Longer numbers are read as a float64, as by Go, because reading them exactly takes the square of their length. */
    private static final int LONGEST_EXACT_NUMBER = 64;

    private static final int LARGEST_SCALE = 1_000;

    private static final Set<String> TRUE =
            Set.of("true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON", "y", "Y");
    private static final Set<String> FALSE =
            Set.of("false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF", "n", "N");

    private int nodes;

    private YamlDocumentReader() {}

    /**
     * All non-empty documents of a file.
     *
     * @param file name of the text in messages
     * @param reason the reason of the mistake thrown for invalid YAML
     */
    public static List<SourceDocument> read(String file, String text, Reason reason) {
        return read(ProblemObject.input(file), text, reason);
    }

    /** As above, for a text of an object. */
    public static List<SourceDocument> read(ProblemObject sourceObject, String text, Reason reason) {
        try {
            return parse(text).stream()
                    .map(root -> new SourceDocument(sourceObject, root))
                    .toList();
        } catch (YamlException e) {
            String what = (e.kind() == YamlException.Kind.SYNTAX ? "yaml: " : "") + e.problem();
            throw new TenantMistake(new Problem(reason, sourceObject, "", e.position(), what, e.fix()));
        }
    }

    /** The roots of all non-empty documents of a text. */
    public static List<DocumentNode> parse(String text) throws YamlException {
        if (text.length() > MAX_CHARS) {
            throw tooLarge((MAX_CHARS >> 20) + " MiB");
        }
        YamlDocumentReader reader = new YamlDocumentReader();
        List<DocumentNode> roots = new ArrayList<>();
        try {
            for (Node root : YamlParser.parseDocuments(text)) {
                DocumentNode node = reader.node(root, 0);
                if (!(node instanceof DocumentNode.Scalar scalar && scalar.kind() == DocumentNode.Kind.NULL)) {
                    roots.add(node);
                }
            }
        } catch (TextSyntaxException e) {
            SourcePosition at = new SourcePosition(e.line(), e.column());
            if (e.problem().startsWith(YamlParser.TOO_DEEP)) {
                throw tooDeep(at);
            }
            boolean tab = e.problem().equals(YamlParser.TAB);
            String fix = tab ? "use spaces for indentation, not tabs" : "check indentation, colons and quotes";
            throw new YamlException(YamlException.Kind.SYNTAX, at, e.problem(), fix, null);
        } catch (LimitExceededException e) {
            throw tooLarge(NestingTracker.DOCUMENT_PARTS + " parts");
        }
        return roots;
    }

    private static YamlException tooDeep(SourcePosition at) {
        String levels = NestingTracker.DOCUMENT_DEPTH + " levels";
        String what = YamlParser.TOO_DEEP + levels + " deep";
        return new YamlException(YamlException.Kind.LIMIT, at, what, "use at most " + levels, null);
    }

    private static YamlException tooLarge(String limit) {
        String what = "has more than " + limit;
        return new YamlException(YamlException.Kind.LIMIT, SourcePosition.NONE, what, "split it", null);
    }

    private static YamlException wrong(SourcePosition at, String what) {
        return new YamlException(YamlException.Kind.CONTENT, at, what, "correct the YAML", null);
    }

    private DocumentNode node(Node yaml, int depth) throws YamlException {
        SourcePosition at = position(yaml);
        // An alias is a copy, so a small text can describe a huge tree.
        if (++nodes > NestingTracker.DOCUMENT_PARTS) {
            throw tooLarge(NestingTracker.DOCUMENT_PARTS + " parts");
        }
        if (depth > NestingTracker.DOCUMENT_DEPTH) {
            throw tooDeep(at);
        }
        return switch (yaml) {
            case SequenceNode sequence -> {
                List<DocumentNode> items = new ArrayList<>(sequence.getValue().size());
                for (Node item : sequence.getValue()) {
                    items.add(node(item, depth + 1));
                }
                yield new DocumentNode.Items(items, at);
            }
            case MappingNode mapping -> new DocumentNode.Fields(fields(mapping, depth), at);
            default -> scalar((ScalarNode) yaml, at);
        };
    }

    private List<DocumentNode.Field> fields(MappingNode mapping, int depth) throws YamlException {
        List<DocumentNode.Field> fields = new ArrayList<>(mapping.getValue().size());
        List<DocumentNode.Field> merged = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (NodeTuple entry : mapping.getValue()) {
            SourcePosition at = position(entry.getKeyNode());
            if (!(entry.getKeyNode() instanceof ScalarNode key)) {
                throw wrong(at, "a key must be a string");
            }
            String name = key.getValue();
            DocumentNode value = node(entry.getValueNode(), depth + 1);
            if (name.equals("<<") && key.isPlain()) {
                merge(value, merged);
            } else if (names.add(name)) {
                fields.add(new DocumentNode.Field(name, value, at));
            } else {
                String what = "key \"" + MessageFormatter.quote(name) + "\" is duplicated";
                throw new YamlException(YamlException.Kind.DUPLICATE_KEY, at, what, "correct the YAML", name);
            }
        }
        for (DocumentNode.Field field : merged) {
            if (names.add(field.name())) {
                fields.add(field);
            }
        }
        return fields;
    }

    private static void merge(DocumentNode value, List<DocumentNode.Field> into) throws YamlException {
        switch (value) {
            case DocumentNode.Fields object -> into.addAll(object.fields());
            case DocumentNode.Items list -> {
                for (DocumentNode item : list.nodes()) {
                    merge(item, into);
                }
            }
            case DocumentNode.Scalar scalar -> throw wrong(scalar.position(), "a merge key requires an object");
        }
    }

    private static DocumentNode scalar(ScalarNode scalar, SourcePosition at) {
        String text = scalar.getValue();
        // YAML 1.1 has more words for booleans, which Go's libraries take for text.
        if (scalar.isPlain() && (TRUE.contains(text) || FALSE.contains(text))) {
            return new DocumentNode.Scalar(DocumentNode.Kind.BOOL, String.valueOf(TRUE.contains(text)), at);
        }
        GoValue value = scalar.isPlain() && !scalar.getTag().equals(Tag.STR) ? YamlParser.plainValue(scalar) : null;
        return switch (value) {
            case GoNil _ -> new DocumentNode.Scalar(DocumentNode.Kind.NULL, "", at);
            case GoBool bool -> new DocumentNode.Scalar(DocumentNode.Kind.BOOL, String.valueOf(bool.value()), at);
            case GoInt number -> {
                boolean signed = number.type().equals(GoType.INT);
                String digits = signed ? Long.toString(number.value()) : Long.toUnsignedString(number.value());
                yield new DocumentNode.Scalar(DocumentNode.Kind.INTEGER, digits, at);
            }
            case GoFloat number
            when Double.isFinite(number.value()) ->
                new DocumentNode.Scalar(DocumentNode.Kind.DECIMAL, decimal(text.replace("_", ""), number.value()), at);
            case null, default -> new DocumentNode.Scalar(DocumentNode.Kind.TEXT, text, at);
        };
    }

    private static String decimal(String text, double value) {
        BigDecimal exact = text.length() > LONGEST_EXACT_NUMBER ? null : new BigDecimal(text);
        // With a huge exponent, it would be huge once written without one.
        return exact == null || Math.abs((long) exact.scale()) > LARGEST_SCALE
                ? BigDecimal.valueOf(value).toString()
                : exact.toString();
    }

    private static SourcePosition position(Node yaml) {
        return new SourcePosition(YamlParser.line(yaml), YamlParser.column(yaml));
    }
}
