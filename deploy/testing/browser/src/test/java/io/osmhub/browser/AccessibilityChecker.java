package io.osmhub.browser;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.browser.devtools.BrowserTab;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** Checks the accessibility of a page with axe-core. */
final class AccessibilityChecker {
    private final String script;

    AccessibilityChecker() throws IOException {
        try (InputStream in = AccessibilityChecker.class.getResourceAsStream("/axe.min.js")) {
            if (in == null) {
                throw new IllegalStateException("axe.min.js is not on the class path");
            }
            script = new String(in.readAllBytes(), UTF_8);
        }
    }

    /** Findings of any level, each with its first places. Unfolds all details first. */
    List<String> check(BrowserTab tab) {
        tab.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })");
        tab.evaluate(script + "; 1");
        JsonNode violations = tab.evaluate(
                "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})"
                        + ".then(found => found.violations.map(v => ({impact: v.impact, id: v.id, help: v.help,"
                        + " where: v.nodes.slice(0, 3).map(n => n.html.slice(0, 200) + ' ' + (n.failureSummary ?? ''))})))");
        List<String> findings = new ArrayList<>();
        violations.forEach(violation -> findings.add(violation.path("impact").asText() + " "
                + violation.path("id").asText() + ": " + violation.path("help").asText() + " "
                + violation.path("where")));
        return findings;
    }
}
