package io.osmhub.tenancy.kubeconfig;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.document.Document;
import io.osmhub.core.document.Node;
import io.osmhub.core.document.YamlText;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import java.util.List;

/** Turns the text of a kubeconfig, YAML or JSON, into a tree. Only texts that a kubeconfig can be get to the YAML reader. */
final class KubeconfigText {
    private static final int LONGEST = 512 * 1024;
    // A kubeconfig has 6 levels; each costs the reader some stack.
    private static final int DEEPEST = 32;
    private static final String CURE = "store the kubeconfig as it is written by kubectl config view --raw";

    private KubeconfigText() {}

    /** @throws TenantMistake with one finding, which quotes nothing of the text */
    static Node.Fields read(String text, Refusals refusals) {
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
            throw refusals.fatal(0, "is not a text in UTF-8", CURE);
        }
        int deep = tooDeepInLine(text);
        if (deep > 0) {
            throw refusals.fatal(deep, "is nested too deeply for a kubeconfig", CURE);
        }
        List<Document> documents = documents(text, refusals);
        if (documents.size() != 1) {
            String found = documents.isEmpty() ? "holds nothing" : "holds " + documents.size() + " documents";
            throw refusals.fatal(0, found, "store one kubeconfig");
        }
        if (documents.getFirst().root() instanceof Node.Fields fields) {
            return fields;
        }
        throw refusals.fatal(
                0, "is not a kubeconfig but " + documents.getFirst().root().describe(), CURE);
    }

    private static List<Document> documents(String text, Refusals refusals) {
        try {
            return YamlText.read(refusals.source(), text, Reason.KubeconfigInvalid.word());
        } catch (TenantMistake e) {
            Finding finding = e.findings().getFirst();
            throw refusals.fatal(finding.line(), withoutContent(finding.what()), CURE);
        }
    }

    /** The reader's words, unless they may quote the text: a key, an anchor or a tag can be a token that lost its place. */
    private static String withoutContent(String what) {
        if (what.startsWith("key \"") && what.endsWith("\" is there twice")) {
            String key = what.substring("key \"".length(), what.length() - "\" is there twice".length());
            return FieldNames.isKnown(key) ? what : "a key is there twice";
        }
        return what.startsWith("yaml: ") && what.indexOf('\'') < 0 && what.indexOf('"') < 0 && what.indexOf('`') < 0
                ? what
                : what.startsWith("yaml: ") ? "is not valid YAML" : what;
    }

    /**
     * The line in which a text is nested deeper than any kubeconfig, 0 when it is not. Counts what can open a level, also in
     * texts and comments, where a kubeconfig has none of it.
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
            // Each level of a block is indented by at least one blank; JSON is often indented by 4 or 8.
            if (brackets > DEEPEST || (margin && indicators > DEEPEST) || (margin && indent > 8 * DEEPEST)) {
                return line;
            }
        }
        return 0;
    }
}
