package io.osmhub.core.document;

import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.emit.TextSyntaxException;
import io.osmhub.core.emit.yaml.YamlParser;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
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
    /** Ends the message about a duplicate key, whose name may be secret. */
    public static final String DUPLICATE_KEY = "\" is duplicated";

    /** A longer text is not read. */
    private static final int MAX_CHARS = 8 << 20;

    /** Longer numbers are read as a float64, as by Go, because reading them exactly takes the square of their length. */
    private static final int LONGEST_EXACT_NUMBER = 64;

    private static final int LARGEST_SCALE = 1_000;

    private static final String TOO_LARGE = "has more than ";
    private static final String PREFIX = "yaml: ";

    private final String source;
    private final String reason;
    private int nodes;

    private YamlDocumentReader(String source, String reason) {
        this.source = source;
        this.reason = reason;
    }

    /**
     * All non-empty documents of a file.
     *
     * @param source name of the text in messages, a file's name
     * @param reason the reason of the mistake thrown for invalid YAML
     */
    public static List<SourceDocument> read(String source, String text, String reason) {
        YamlDocumentReader reader = new YamlDocumentReader(source, reason);
        if (text.length() > MAX_CHARS) {
            throw reader.tooLarge((MAX_CHARS >> 20) + " MiB");
        }
        List<SourceDocument> documents = new ArrayList<>();
        try {
            for (Node root : YamlParser.parseDocuments(text)) {
                DocumentNode node = reader.node(root, 0);
                if (!(node instanceof DocumentNode.Scalar scalar && scalar.kind() == DocumentNode.Kind.NULL)) {
                    documents.add(new SourceDocument(source, node));
                }
            }
        } catch (TextSyntaxException e) {
            if (isLimit(e.problem())) {
                throw reader.tooDeep(new SourcePosition(e.line(), e.column()));
            }
            SourcePosition at = YamlErrorLocator.locate(text, new SourcePosition(e.line(), e.column()));
            throw reader.mistake(at, PREFIX + e.problem(), YamlErrorLocator.cure(text, at));
        } catch (LimitExceededException e) {
            throw reader.tooLarge(NestingTracker.DOCUMENT_PARTS + " parts");
        }
        return documents;
    }

    /** Whether a message is about a limit of this reader: the text may still be valid. */
    public static boolean isLimit(String message) {
        return message.startsWith(TOO_LARGE) || message.startsWith(YamlParser.TOO_DEEP);
    }

    /** The message of a syntax error without its prefix. */
    public static String withoutPrefix(String message) {
        return message.startsWith(PREFIX) ? message.substring(PREFIX.length()) : message;
    }

    private TenantMistake mistake(SourcePosition at, String what) {
        return mistake(at, what, "correct the YAML");
    }

    private TenantMistake mistake(SourcePosition at, String what, String cure) {
        return new TenantMistake(new ProblemFinding(reason, source, "", at.line(), at.column(), what, cure));
    }

    private TenantMistake tooDeep(SourcePosition at) {
        String levels = NestingTracker.DOCUMENT_DEPTH + " levels";
        return mistake(at, YamlParser.TOO_DEEP + levels + " deep", "use at most " + levels);
    }

    private TenantMistake tooLarge(String limit) {
        return mistake(SourcePosition.NONE, TOO_LARGE + limit, "split it");
    }

    private DocumentNode node(Node yaml, int depth) {
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

    private List<DocumentNode.Field> fields(MappingNode mapping, int depth) {
        List<DocumentNode.Field> fields = new ArrayList<>(mapping.getValue().size());
        List<DocumentNode.Field> merged = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (NodeTuple entry : mapping.getValue()) {
            SourcePosition at = position(entry.getKeyNode());
            if (!(entry.getKeyNode() instanceof ScalarNode key)) {
                throw mistake(at, "a key must be a string");
            }
            String name = key.getValue();
            DocumentNode value = node(entry.getValueNode(), depth + 1);
            if (name.equals("<<") && key.isPlain()) {
                merge(value, merged);
            } else if (names.add(name)) {
                fields.add(new DocumentNode.Field(name, value, at));
            } else {
                throw mistake(at, "key \"" + MessageFormatter.quote(name) + DUPLICATE_KEY);
            }
        }
        for (DocumentNode.Field field : merged) {
            if (names.add(field.name())) {
                fields.add(field);
            }
        }
        return fields;
    }

    private void merge(DocumentNode value, List<DocumentNode.Field> into) {
        switch (value) {
            case DocumentNode.Fields object -> into.addAll(object.fields());
            case DocumentNode.Items list -> list.nodes().forEach(item -> merge(item, into));
            case DocumentNode.Scalar scalar -> throw mistake(scalar.position(), "a merge key requires an object");
        }
    }

    private static DocumentNode scalar(ScalarNode scalar, SourcePosition at) {
        String text = scalar.getValue();
        if (scalar.isPlain()) {
            DocumentNode plain = PlainScalarResolver.resolve(text, at);
            // A tag may declare a string; only words that are booleans in YAML 1.1 look like strings to the parser.
            if (!scalar.getTag().equals(Tag.STR)
                    || (plain instanceof DocumentNode.Scalar it && it.kind() == DocumentNode.Kind.BOOL)) {
                return plain;
            }
        }
        return new DocumentNode.Scalar(DocumentNode.Kind.TEXT, text, at);
    }

    private static SourcePosition position(Node yaml) {
        return new SourcePosition(YamlParser.line(yaml), YamlParser.column(yaml));
    }

    /** Resolves a YAML scalar without quotes under YAML 1.1, as readers of Kubernetes manifests do. */
    private static final class PlainScalarResolver {
        private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");
        private static final Set<String> TRUE =
                Set.of("true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON", "y", "Y");
        private static final Set<String> FALSE =
                Set.of("false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF", "n", "N");

        static DocumentNode resolve(String text, SourcePosition at) {
            if (NULLS.contains(text)) {
                return new DocumentNode.Scalar(DocumentNode.Kind.NULL, "", at);
            }
            if (TRUE.contains(text)) {
                return new DocumentNode.Scalar(DocumentNode.Kind.BOOL, "true", at);
            }
            if (FALSE.contains(text)) {
                return new DocumentNode.Scalar(DocumentNode.Kind.BOOL, "false", at);
            }
            BigInteger integer = integer(text);
            if (integer != null) {
                return new DocumentNode.Scalar(DocumentNode.Kind.INTEGER, integer.toString(), at);
            }
            String decimal = decimal(text);
            return decimal != null
                    ? new DocumentNode.Scalar(DocumentNode.Kind.DECIMAL, decimal, at)
                    : new DocumentNode.Scalar(DocumentNode.Kind.TEXT, text, at);
        }

        private static @Nullable BigInteger integer(String text) {
            String digits = text.replace("_", "");
            boolean negative = digits.startsWith("-");
            if (negative || digits.startsWith("+")) {
                digits = digits.substring(1);
            }
            int radix = 10;
            if (digits.startsWith("0x") || digits.startsWith("0b") || digits.startsWith("0o")) {
                radix = digits.charAt(1) == 'x' ? 16 : digits.charAt(1) == 'b' ? 2 : 8;
                digits = digits.substring(2);
            } else if (digits.length() > 1 && digits.charAt(0) == '0') {
                radix = 8;
            }
            if (digits.isEmpty() || digits.length() > LONGEST_EXACT_NUMBER) {
                return null;
            }
            for (int i = 0; i < digits.length(); i++) {
                if (Character.digit(digits.charAt(i), radix) < 0 || digits.charAt(i) >= 0x80) {
                    return null;
                }
            }
            BigInteger value = new BigInteger(digits, radix);
            return negative ? value.negate() : value;
        }

        private static @Nullable String decimal(String text) {
            int digits = 0;
            int points = 0;
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                boolean exponentSign = (c == '+' || c == '-') && (i == 0 || "eE".indexOf(text.charAt(i - 1)) >= 0);
                if (c >= '0' && c <= '9') {
                    digits++;
                } else if (c == '.') {
                    points++;
                } else if (!exponentSign && !((c == 'e' || c == 'E') && digits > 0 && i + 1 < text.length())) {
                    return null;
                }
            }
            if (digits == 0 || points > 1) {
                return null;
            }
            try {
                double number = Double.parseDouble(text);
                if (Double.isInfinite(number)) {
                    return null;
                }
                BigDecimal exact = text.length() > LONGEST_EXACT_NUMBER ? null : new BigDecimal(text);
                // With a huge exponent, it would be huge once written without one.
                return exact == null || Math.abs((long) exact.scale()) > LARGEST_SCALE
                        ? BigDecimal.valueOf(number).toString()
                        : exact.toString();
            } catch (NumberFormatException e) {
                // For example two exponents: then it is a string.
                return null;
            }
        }
    }
}
