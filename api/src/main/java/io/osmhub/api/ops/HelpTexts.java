package io.osmhub.api.ops;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sets the help text of each meter from docs/reference/metrics.md, which is packaged with the program. */
final class HelpTexts implements MeterFilter {
    private static final String PAGE = "/io/osmhub/api/docs/pages/reference/metrics.md";
    private static final Pattern ROW = Pattern.compile("\\| `(\\w+)` \\| [a-z]+[^|]* \\|[^|]*\\| (.+) \\|");

    private final Map<String, String> texts = new HashMap<>();

    HelpTexts() {
        try (InputStream page = Objects.requireNonNull(HelpTexts.class.getResourceAsStream(PAGE), PAGE)) {
            new String(page.readAllBytes(), UTF_8)
                    .lines()
                    .map(ROW::matcher)
                    .filter(Matcher::matches)
                    .forEach(row -> texts.put(row.group(1), row.group(2).replace("`", "")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param name as exposed; empty result for names missing from the page */
    String of(String name) {
        return texts.getOrDefault(name, "");
    }

    @Override
    public Meter.Id map(Meter.Id id) {
        String ending =
                switch (id.getType()) {
                    case TIMER -> "_seconds";
                    case COUNTER -> "_total";
                    default -> "";
                };
        String text = of(id.getName().replace('.', '_') + ending);
        return text.isEmpty()
                ? id
                : new Meter.Id(id.getName(), Tags.of(id.getTagsAsIterable()), id.getBaseUnit(), text, id.getType());
    }
}
