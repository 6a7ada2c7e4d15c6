package io.osmhub.tenancy.kubeconfig;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import java.util.List;

/** Parses a kubeconfig, YAML or JSON, into a tree. Rejects implausible texts before the YAML parser reads them. */
final class KubeconfigTextParser {
    private static final int LONGEST = 512 * 1024;
    // A kubeconfig has 6 levels; each costs the parser some stack.
    private static final int DEEPEST = 32;
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
        int deep = tooDeepInLine(text);
        if (deep > 0) {
            throw refusals.fatal(deep, "is nested too deeply for a kubeconfig", CURE);
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

    /**
     * The first line nested deeper than any kubeconfig; 0 if there is none. Counts everything that can open a level, also in
     * strings and comments, where a kubeconfig has no such characters.
     */
    private static int tooDeepInLine(String text) {
        int line = 1;
        int brackets = 0;
        int indicators = 0;
        int indent = 0;
        boolean margin = true;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n') {
                line++;
                indicators = 0;
                indent = 0;
                margin = true;
                continue;
            }
            if (c == '[' || c == '{') {
                brackets++;
            } else if (c == ']' || c == '}') {
                brackets = Math.max(0, brackets - 1);
            }
            if (margin) {
                indent++;
                margin = c == ' ' || c == '\t' || c == '-' || c == '?' || c == ':';
                indicators += margin && c != ' ' && c != '\t' ? 1 : 0;
            }
            // Each level of a block is indented by at least one blank; JSON often by 4 or 8.
            if (brackets > DEEPEST || (margin && indicators > DEEPEST) || (margin && indent > 8 * DEEPEST)) {
                return line;
            }
        }
        return 0;
    }
}
