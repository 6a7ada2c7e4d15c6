package io.osmhub.core.document;

import io.osmhub.core.problem.ProblemFinding;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A document with its text: locates each line of a text field, for example of a template, in the file. */
public record SourceText(SourceDocument document, List<String> lines) {
    public SourceText {
        lines = List.copyOf(lines);
    }

    /** All documents of a file. Empty ones are left out, and a {@code List} is replaced by its items. */
    public static List<SourceText> read(String source, String text, String reason) {
        List<String> lines = text.lines().toList();
        return YamlDocumentReader.read(source, text, reason).stream()
                .flatMap(document -> items(document).stream())
                .map(document -> new SourceText(document, lines))
                .toList();
    }

    private static List<SourceDocument> items(SourceDocument document) {
        boolean isList = document.root() instanceof DocumentNode.Fields fields
                && fields.get("kind") instanceof DocumentNode.Scalar kind
                && kind.text().equals("List");
        if (isList && document.find("items") instanceof DocumentNode.Items items) {
            return items.nodes().stream()
                    .map(item -> new SourceDocument(document.source(), item))
                    .toList();
        }
        return List.of(document);
    }

    /** A scalar of the document as text; empty if missing. */
    public String text(String field) {
        return document.find(field) instanceof DocumentNode.Scalar scalar ? scalar.text() : "";
    }

    /** Position of a finding in the file, or of the nearest existing parent. */
    public SourcePosition positionOf(ProblemFinding finding) {
        if (finding.field().isEmpty()) {
            return finding.line() > 0
                    ? new SourcePosition(finding.line(), finding.column())
                    : document.root().position();
        }
        SourcePosition field = document.positionOf(finding);
        DocumentNode.Scalar text = finding.line() > 0 ? textAt(finding.field()) : null;
        return text == null ? field : inText(text, finding.line(), finding.column(), field);
    }

    /** The text in which a finding counts lines: the field's, or for a file of a profile its content. */
    private DocumentNode.@Nullable Scalar textAt(String field) {
        DocumentNode node = document.find(field);
        if (node instanceof DocumentNode.Fields) {
            int label = field.indexOf(' ');
            node = document.find((label < 0 ? field : field.substring(0, label)) + ".content.inline.data");
        }
        return node instanceof DocumentNode.Scalar scalar ? scalar : null;
    }

    /** Position of a line of a text: exact in a literal block, else the start of the text. */
    private SourcePosition inText(DocumentNode.Scalar text, int line, int column, SourcePosition otherwise) {
        SourcePosition start = text.position();
        if (!start.isKnown()) {
            return otherwise;
        }
        boolean literal =
                start.line() <= lines.size() && lines.get(start.line() - 1).startsWith("|", start.column() - 1);
        return literal
                ? new SourcePosition(start.line() + line, indentBelow(start.line()) + Math.max(1, column))
                : start;
    }

    /** A block's indentation, from its first non-blank line. */
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
