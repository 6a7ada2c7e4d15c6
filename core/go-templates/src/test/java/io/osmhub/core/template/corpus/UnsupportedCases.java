package io.osmhub.core.template.corpus;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The cases of all corpora that the hub does not support, by id: those that use a refused function or kubelet, those where a
 * library reads a text differently than Go, and those that the hub publishes and OSM refuses. Read from the reviewed list {@code corpus/unsupported.tsv}.
 */
public final class UnsupportedCases {
    private static final String FILE = "/corpus/unsupported.tsv";
    private static final String REFUSED = "refused: ";
    private static final Map<String, String> REASONS = read();

    private UnsupportedCases() {}

    /** All reasons by id, sorted. */
    public static Map<String, String> reasons() {
        return REASONS;
    }

    /** The function, format or kubelet for which the case must be refused; null if the case is not listed as refused. */
    public static @Nullable String refusedName(String id) {
        String reason = REASONS.get(id);
        return reason != null && reason.startsWith(REFUSED) ? reason.substring(REFUSED.length()) : null;
    }

    /** Why the result for the case differs from that of Go or OSM; null if it must not differ. */
    public static @Nullable String difference(String id) {
        return refusedName(id) == null ? REASONS.get(id) : null;
    }

    /** @throws IllegalStateException if a line is not an id, a tab and a reason, or an id is listed twice or out of order */
    private static Map<String, String> read() {
        TreeMap<String, String> reasons = new TreeMap<>();
        try (BufferedReader file = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(UnsupportedCases.class.getResourceAsStream(FILE), FILE), UTF_8))) {
            for (String line : file.lines().toList()) {
                int tab = line.indexOf('\t');
                boolean sorted =
                        tab > 0 && (reasons.isEmpty() || reasons.lastKey().compareTo(line.substring(0, tab)) < 0);
                if (!sorted) {
                    throw new IllegalStateException(FILE + ": expected ID, tab and reason, sorted by ID: " + line);
                }
                reasons.put(line.substring(0, tab), line.substring(tab + 1));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Collections.unmodifiableMap(reasons);
    }
}
