package io.osmhub.tenancy.kubeconfig;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.document.YamlException;
import io.osmhub.core.problem.SourcePosition;
import io.osmhub.core.problem.TenantMistake;
import java.util.List;
import java.util.regex.Pattern;

/** Parses a kubeconfig, YAML or JSON, into a tree. Rejects a text that is too long before the YAML parser reads it. */
final class KubeconfigTextParser {
    private static final int LONGEST = 512 * 1024;
    private static final String CURE = "store the output of kubectl config view --raw";
    private static final Pattern QUOTE = Pattern.compile("['\"`]");

    private KubeconfigTextParser() {}

    /** @throws TenantMistake with a single finding, which quotes nothing of the text */
    static DocumentNode.Fields read(String text, KubeconfigFindings findings) {
        if (text.length() > LONGEST) {
            throw findings.fatal(
                    SourcePosition.NONE,
                    "has more than 524,288 characters",
                    "keep only the context in use: kubectl config view --minify --flatten --raw");
        }
        if (!UTF_8.newEncoder().canEncode(text)) {
            throw findings.fatal(SourcePosition.NONE, "is not valid UTF-8", CURE);
        }
        List<DocumentNode> documents = documents(text, findings);
        if (documents.size() != 1) {
            String found = documents.isEmpty() ? "is empty" : "contains " + documents.size() + " documents";
            throw findings.fatal(SourcePosition.NONE, found, "store one kubeconfig");
        }
        DocumentNode root = documents.getFirst();
        if (root instanceof DocumentNode.Fields fields) {
            return fields;
        }
        throw findings.fatal(SourcePosition.NONE, "is not a kubeconfig but " + root.describe(), CURE);
    }

    private static List<DocumentNode> documents(String text, KubeconfigFindings findings) {
        try {
            return YamlDocumentReader.parse(text);
        } catch (YamlException e) {
            throw findings.fatal(e.position(), withoutContent(e), CURE);
        }
    }

    /** The parser's message, unless it may quote the text: a key, an anchor or a tag can be a misplaced token. */
    private static String withoutContent(YamlException e) {
        return switch (e.kind()) {
            case SYNTAX -> QUOTE.matcher(e.problem()).find() ? "is not valid YAML" : "yaml: " + e.problem();
            case DUPLICATE_KEY -> "a key is duplicated";
            case CONTENT, LIMIT -> e.problem();
        };
    }
}
