package io.osmhub.api.console;

import com.github.jknack.handlebars.Handlebars;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.core.problem.Reason.LinkName;
import io.osmhub.core.status.Chain.LinkState;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.stream.Stream;

/** Drawings and documents: bars, the one-line chain, numbered lines, diffs. */
final class DrawingHelpers {
    /** The limit mark has the same position in all bars, so a bar ends at five quarters of its limit. */
    private static final double SCALE = 1.25;

    private static final int MOST_LINES = 5_000;
    private static final double LINK_WIDTH = 15.6;

    /** Contract and display names of the chain's links. */
    static final Map<String, String> LINKS = Map.of(
            "Profile", "Profile",
            "RenderedConfig", "Rendered config",
            "ProvisioningSecret", "Provisioning secret",
            "BootstrapSecret", "Bootstrap secret",
            "BootstrapToken", "Bootstrap token",
            "WorkerConnection", "Worker connection",
            "MachineControllerPickUp", "machine-controller pick-up");

    /** Contract and display names of the roles of a MachineDeployment's objects. */
    private static final Map<String, String> ROLES = Map.of(
            "Bootstrap", "Bootstrap secret",
            "Provisioning", "Provisioning secret",
            "KubeletBootstrap", "Kubelet kubeconfig",
            "BootstrapToken", "Bootstrap token");

    private DrawingHelpers() {}

    static void register(Handlebars library) {
        library.registerHelper(
                "gauge",
                (bytes, options) ->
                        gauge(TemplateHelpers.number(bytes), TemplateHelpers.number(options.param(0, null))));
        library.registerHelper(
                "share",
                (part, options) -> share(TemplateHelpers.number(part), TemplateHelpers.number(options.param(0, null))));
        library.registerHelper(
                "radius",
                (repaired, options) -> radius(
                        TemplateHelpers.number(repaired),
                        TemplateHelpers.number(options.param(0, null)),
                        TemplateHelpers.number(options.param(1, null)),
                        TemplateHelpers.number(options.param(2, null))));
        library.registerHelper("percent", (part, options) -> {
            long whole = TemplateHelpers.number(options.param(0, null));
            return whole == 0 ? "" : NumberFormats.share(TemplateHelpers.number(part), whole);
        });
        library.registerHelper("link-name", (name, options) -> {
            String word = TemplateHelpers.text(name);
            return LINKS.getOrDefault(word, word);
        });
        library.registerHelper("document-name", (name, options) -> DocumentTabs.word(TemplateHelpers.text(name)));
        library.registerHelper("role-name", (name, options) -> {
            String word = TemplateHelpers.text(name);
            return ROLES.getOrDefault(word, word);
        });
        library.registerHelper("lines", (document, options) -> lines(TemplateHelpers.text(document)));
        library.registerHelper("files", (document, options) -> files(TemplateHelpers.text(document)));
        library.registerHelper("difference", (patch, options) -> difference(TemplateHelpers.text(patch)));
        library.registerHelper("label", (key, options) -> {
            LiveCells cells = options.data(TemplateHelpers.CELLS);
            return label(TemplateHelpers.text(key), TemplateHelpers.text(options.param(0, null)), cells);
        });
        library.registerHelper("shape", (key, options) -> {
            LiveCells cells = options.data(TemplateHelpers.CELLS);
            return shape(TemplateHelpers.text(key), cells);
        });
    }

    /** A size against its limit; the excess is hatched behind the mark. */
    private static CharSequence gauge(long bytes, long limit) {
        Markup svg = new Markup().open("svg", "class", "gauge", "aria-hidden", "true");
        svg.empty("rect", "class", "track", "y", "2", "width", "100%", "height", "8");
        double used = limit == 0 ? 0 : bytes / (limit * SCALE);
        double mark = 1 / SCALE;
        svg.empty(
                "rect", "class", "used", "y", "2", "width", NumberFormats.percent(Math.min(used, mark)), "height", "8");
        if (used > mark) {
            String over = NumberFormats.percent(Math.min(used, 1) - mark);
            svg.empty(
                    "rect", "class", "over", "x", NumberFormats.percent(mark), "y", "2", "width", over, "height", "8");
        }
        String at = NumberFormats.percent(mark);
        svg.empty("line", "class", "tick", "x1", at, "x2", at, "y1", "0", "y2", "12");
        return svg.close("svg").finished();
    }

    private static CharSequence share(long part, long whole) {
        double share = whole == 0 ? 0 : Math.min(1, (double) part / whole);
        return new Markup()
                .open("svg", "class", "gauge", "aria-hidden", "true")
                .empty("rect", "class", "track", "y", "2", "width", "100%", "height", "8")
                .empty("rect", "class", "used", "y", "2", "width", NumberFormats.percent(share), "height", "8")
                .close("svg")
                .finished();
    }

    /** The affected share of a change, drawn to scale beside the numbers. */
    private static CharSequence radius(long repaired, long changed, long same, long refused) {
        double whole = Math.max(1, repaired + changed + same + refused);
        Markup svg = new Markup().open("svg", "class", "radius", "aria-hidden", "true");
        double x = 0;
        long[] parts = {repaired, changed, same, refused};
        String[] classes = {"r-fix", "r-change", "r-same", "r-refused"};
        for (int at = 0; at < parts.length; at++) {
            double width = parts[at] / whole;
            if (parts[at] > 0) {
                svg.empty(
                        "rect",
                        "class",
                        classes[at],
                        "x",
                        NumberFormats.percent(x),
                        "width",
                        NumberFormats.percent(width),
                        "height",
                        "28");
            }
            x += width;
        }
        return svg.close("svg").finished();
    }

    /** The seven links in one line. */
    static CharSequence chain(List<LinkState> links, String key) {
        Markup svg = new Markup()
                .open("span", "class", "chain-line", "data-live", key)
                .open(
                        "svg",
                        "class",
                        "chain",
                        "viewBox",
                        "0 0 109 10",
                        "role",
                        "img",
                        "aria-label",
                        describeChain(links));
        for (int at = 0; at < links.size(); at++) {
            String symbol = symbol(links.get(at));
            String x = NumberFormats.place(at * LINK_WIDTH);
            svg.empty("use", "href", "#" + symbol, "class", symbol, "x", x, "width", "14", "height", "10");
        }
        return svg.close("svg").close("span").finished();
    }

    /** Text alternative of the drawing: where the chain is broken. */
    static String describeChain(List<LinkState> links) {
        int broken = links.indexOf(LinkState.BROKEN);
        if (broken >= 0) {
            return "Broken at link " + (broken + 1) + " of " + links.size() + ": " + link(broken);
        }
        return links.stream().allMatch(state -> state == LinkState.OK)
                ? "All " + links.size() + " links closed"
                : "No link broken, some not closed yet";
    }

    /** Display name of the link at this index. */
    static String link(int place) {
        String word = ApiJson.word(LinkName.values()[place]);
        return LINKS.getOrDefault(word, word);
    }

    /** Link states by their contract names. */
    static List<LinkState> states(Stream<String> words) {
        return words.map(word -> ApiJson.constant(LinkState.class, word).orElse(LinkState.UNKNOWN))
                .toList();
    }

    static String symbol(LinkState state) {
        return switch (state) {
            case OK -> "c-ok";
            case OLDER_KEPT -> "c-old";
            case BROKEN -> "c-broken";
            case WAITING, UNKNOWN -> "c-wait";
        };
    }

    /** Numbered lines. Redacted values are drawn as such. */
    private static CharSequence lines(String document) {
        Markup markup = new Markup();
        List<ReadableText.Line> lines = ReadableText.lines(document);
        int files = 0;
        for (ReadableText.Line line : lines.subList(0, Math.min(lines.size(), MOST_LINES))) {
            switch (line.kind()) {
                case TEXT -> withRedactions(markup.open("li", "data-row", ""), line.text());
                case NOTE -> withRedactions(markup.open("li", "data-row", "", "class", "note c"), line.text());
                case FILE ->
                    markup.open("li", "data-row", "", "class", "note file", "id", "file-" + ++files)
                            .text(line.text(), TextSanitizer.LINE)
                            .element("span", " " + line.detail(), "class", "c");
            }
            markup.close("li");
        }
        if (lines.size() > MOST_LINES) {
            markup.element("li", "truncated; read the full document through the API", "class", "note");
        }
        return markup.finished();
    }

    /** Links to the files in a document; nothing for fewer than two. */
    private static CharSequence files(String document) {
        List<ReadableText.Line> files = ReadableText.lines(document).stream()
                .filter(line -> line.kind() == ReadableText.LineKind.FILE)
                .toList();
        Markup markup = new Markup();
        for (int at = 0; at < files.size() && files.size() > 1; at++) {
            markup.open("li")
                    .element("a", files.get(at).text(), "href", "#file-" + (at + 1))
                    .close("li");
        }
        return markup.finished();
    }

    private static void withRedactions(Markup markup, String line) {
        String spaced = line.replace("\t", "    ");
        Matcher redacted = ReadableText.REDACTED.matcher(spaced);
        int from = 0;
        while (redacted.find()) {
            markup.text(spaced.substring(from, redacted.start()), TextSanitizer.LINE);
            markup.element("span", redacted.group(1).replace('-', ' ') + ": not shown", "class", "redacted");
            from = redacted.end();
        }
        markup.text(spaced.substring(from), TextSanitizer.LINE);
    }

    /** Lines of a unified diff: sign in the gutter, a word for screen readers, then colour. */
    private static CharSequence difference(String patch) {
        Markup markup = new Markup();
        // The two lines before the first hunk name the document, as the page already does.
        patch.lines()
                .dropWhile(line -> line.startsWith("--- ") || line.startsWith("+++ "))
                .limit(MOST_LINES)
                .forEach(line -> {
                    char sign = line.isEmpty() ? ' ' : line.charAt(0);
                    String rest = line.isEmpty() ? "" : line.substring(1);
                    switch (sign) {
                        case '+' ->
                            withRedactions(
                                    markup.open("li", "class", "add", "data-op", "+")
                                            .element("span", "added: ", "class", "vh"),
                                    rest);
                        case '-' ->
                            withRedactions(
                                    markup.open("li", "class", "del", "data-op", "−")
                                            .element("span", "removed: ", "class", "vh"),
                                    rest);
                        case '@' -> withRedactions(markup.open("li", "class", "hunk", "data-op", ""), line);
                        default -> withRedactions(markup.open("li", "data-op", " "), rest);
                    }
                    markup.close("li");
                });
        return markup.finished();
    }

    /** A live text at the left of a chart, at height {@code y}. */
    private static CharSequence label(String key, String y, LiveCells cells) {
        if (!(cells.get(key) instanceof LiveCell.LabelCell(String text))) {
            throw new IllegalStateException(key + " is not a text");
        }
        return new Markup()
                .element("text", text, "x", "0", "y", y, "data-live", key)
                .finished();
    }

    /** Attributes of a live part of a chart. */
    private static CharSequence shape(String key, LiveCells cells) {
        if (!(cells.get(key) instanceof LiveCell.ShapeCell(Map<String, String> attributes))) {
            throw new IllegalStateException(key + " is not a drawing");
        }
        Markup markup = new Markup().attributes("data-live", key);
        attributes.forEach((name, value) -> markup.attributes(name, value));
        return markup.finished();
    }
}
