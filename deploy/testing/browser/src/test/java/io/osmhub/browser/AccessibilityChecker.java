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
    /**
     * Measures a page at the current width: what scrolls sideways, texts that are cut, and targets that are smaller than 24 px or
     * closer to another one (WCAG 2.2, 2.5.8; links in a text are exempt).
     */
    private static final String LAYOUT = """
            (() => {
              const found = [];
              const shown = (one) => one.checkVisibility({visibilityProperty: true}) && one.closest('.vh, .skip, .sprite, .reflow thead') === null;
              const named = (one) => `${one.localName}.${one.className.baseVal ?? one.className} "${one.textContent.trim().slice(0, 40)}"`;
              const page = document.documentElement;
              if (page.scrollWidth > page.clientWidth) found.push(`needs ${page.scrollWidth} px`);
              for (const one of document.querySelectorAll('main *')) {
                const style = getComputedStyle(one);
                const cut = style.overflowX === 'hidden' && one.scrollWidth > one.clientWidth + 1;
                if (cut && style.display !== 'inline' && shown(one)) found.push(`cuts ${named(one)}`);
              }
              const covers = document.querySelector(':popover-open, .found:not([hidden])') ?? document;
              const targets = [...covers.querySelectorAll('a, button, input, select, textarea, summary')]
                .filter((one) => shown(one) && one.type !== 'hidden')
                .map((one) => ({one, box: one.getBoundingClientRect(), inText: getComputedStyle(one).display === 'inline'}));
              for (const {one, box, inText} of targets) {
                if (inText || box.width >= 24 && box.height >= 24) continue;
                const x = box.x + box.width / 2;
                const y = box.y + box.height / 2;
                const near = targets.find((other) => other.one !== one && !one.contains(other.one) && !other.one.contains(one)
                  && Math.hypot(Math.max(other.box.left - x, 0, x - other.box.right), Math.max(other.box.top - y, 0, y - other.box.bottom)) < 12);
                if (near) found.push(`${box.width} by ${box.height} px: ${named(one)} near ${named(near.one)}`);
              }
              return found;
            })()""";

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
        return check(tab, "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']");
    }

    /** The findings that depend on colors. */
    List<String> checkColors(BrowserTab tab) {
        return check(tab, "{type: 'rule', values: ['color-contrast', 'link-in-text-block']}");
    }

    /** What does not fit the current width. Takes milliseconds. */
    List<String> checkLayout(BrowserTab tab) {
        List<String> findings = new ArrayList<>();
        tab.unfold().evaluate(LAYOUT).forEach(finding -> findings.add(finding.asText()));
        return findings;
    }

    private List<String> check(BrowserTab tab, String rules) {
        tab.unfold();
        if (tab.evaluate("typeof axe === 'undefined'").asBoolean()) {
            tab.evaluate(script + "; 1");
        }
        JsonNode violations = tab.evaluate(
                "axe.run(document, {resultTypes: ['violations'], preload: false, runOnly: " + rules + "})"
                        + ".then(found => found.violations.map(v => ({impact: v.impact, id: v.id, help: v.help,"
                        + " where: v.nodes.slice(0, 3).map(n => n.html.slice(0, 200) + ' ' + (n.failureSummary ?? ''))})))");
        List<String> findings = new ArrayList<>();
        violations.forEach(violation -> findings.add(violation.path("impact").asText() + " "
                + violation.path("id").asText() + ": " + violation.path("help").asText() + " "
                + violation.path("where")));
        return findings;
    }
}
