package io.osmhub.tenancy.kubeconfig;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import java.util.List;

/** Parses a kubeconfig, YAML or JSON, into a tree. Rejects a text that is too long before the YAML parser reads it. */
final class KubeconfigTextParser {
    private static final int LONGEST = 512 * 1024;
    private static final String CURE = "store the output of kubectl config view --raw";

    private KubeconfigTextParser() {}

    /** @throws TenantMistake with a single finding, which quotes nothing of the text */
    static DocumentNode.Fields read(String text, KubeconfigFindings refusals) {
        if (text.length() > LONGEST) {
            throw refusals.fatal(
                    0,
                    "has more than 524,288 characters",
                    "keep only the context in use: kubectl config view --minify --flatten --raw");
        }
        if (text.isBlank()) {
            throw refusals.fatal(0, "is empty", CURE);
        }
        if (!UTF_8.newEncoder().canEncode(text)) {
            throw refusals.fatal(0, "is not valid UTF-8", CURE);
        }
        List<SourceDocument> documents = documents(text, refusals);
        if (documents.size() != 1) {
            String found = documents.isEmpty() ? "is empty" : "contains " + documents.size() + " documents";
            throw refusals.fatal(0, found, "store one kubeconfig");
        }
        if (documents.getFirst().root() instanceof DocumentNode.Fields fields) {
            return fields;
        }
        throw refusals.fatal(
                0, "is not a kubeconfig but " + documents.getFirst().root().describe(), CURE);
    }

    private static List<SourceDocument> documents(String text, KubeconfigFindings refusals) {
        try {
            return YamlDocumentReader.read(refusals.source(), text, Reason.KubeconfigInvalid.wireName());
        } catch (TenantMistake e) {
            ProblemFinding finding = e.findings().getFirst();
            throw refusals.fatal(finding.line(), finding.column(), withoutContent(finding.what()), CURE);
        }
    }

    /** The parser's message, unless it may quote the text: a key, an anchor or a tag can be a misplaced token. */
    private static String withoutContent(String what) {
        if (what.startsWith("key \"") && what.endsWith(YamlDocumentReader.DUPLICATE_KEY)) {
            String key = what.substring("key \"".length(), what.length() - YamlDocumentReader.DUPLICATE_KEY.length());
            return KubeconfigFields.isKnown(key) ? what : "a key is duplicated";
        }
        return what.startsWith("yaml: ") && what.indexOf('\'') < 0 && what.indexOf('"') < 0 && what.indexOf('`') < 0
                ? what
                : what.startsWith("yaml: ") ? "is not valid YAML" : what;
    }
}
