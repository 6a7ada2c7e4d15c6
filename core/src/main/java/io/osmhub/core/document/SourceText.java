package io.osmhub.core.document;

import io.osmhub.core.problem.Finding;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A document together with the text that it was read from: tells where in the file a line of a text field stands, for example
 * a line of a template.
 */
public record SourceText(Document document, List<String> lines) {
    public SourceText {
        lines = List.copyOf(lines);
    }

    /** All documents of a file. An empty one is left out, and a {@code List} stands for its items. */
    public static List<SourceText> read(String source, String text, String reason) {
        List<String> lines = text.lines().toList();
        return YamlText.read(source, text, reason).stream()
                .flatMap(document -> items(document).stream())
                .map(document -> new SourceText(document, lines))
                .toList();
    }

    private static List<Document> items(Document document) {
        boolean isList = document.root() instanceof Node.Fields fields
                && fields.get("kind") instanceof Node.Scalar kind
                && kind.text().equals("List");
        if (isList && document.find("items") instanceof Node.Items items) {
            return items.nodes().stream()
                    .map(item -> new Document(document.source(), item))
                    .toList();
        }
        return List.of(document);
    }

    /** A scalar of the document as text; empty when there is none at that path. */
    public String text(String field) {
        return document.find(field) instanceof Node.Scalar scalar ? scalar.text() : "";
    }

    /** Where what a finding is about stands in the file; the nearest part around it that is there. */
    public Position of(Finding finding) {
        if (finding.field().isEmpty()) {
            return finding.line() > 0
                    ? new Position(finding.line(), finding.column())
                    : document.root().position();
        }
        Position field = document.positionOf(finding);
        Node.Scalar text = finding.line() > 0 ? textAt(finding.field()) : null;
        return text == null ? field : inText(text, finding.line(), finding.column(), field);
    }

    /** The text that a finding counts the lines of: the field's, or for a file of a profile its content. */
    private Node.@Nullable Scalar textAt(String field) {
        Node node = document.find(field);
        if (node instanceof Node.Fields) {
            int label = field.indexOf(' ');
            node = document.find((label < 0 ? field : field.substring(0, label)) + ".content.inline.data");
        }
        return node instanceof Node.Scalar scalar ? scalar : null;
    }

    /** A line of a text: the very line when the text is a literal block, else where the text begins. */
    private Position inText(Node.Scalar text, int line, int column, Position otherwise) {
        Position start = text.position();
        if (!start.known()) {
            return otherwise;
        }
        boolean literal =
                start.line() <= lines.size() && lines.get(start.line() - 1).startsWith("|", start.column() - 1);
        return literal ? new Position(start.line() + line, indentBelow(start.line()) + Math.max(1, column)) : start;
    }

    /** How far a block is indented, taken from its first line that is not blank. */
    private int indentBelow(int line) {
        for (int i = line; i < lines.size(); i++) {
            String text = lines.get(i);
            if (!text.isBlank()) {
                return text.length() - text.stripLeading().length();
            }
        }
        return 0;
    }
}
