package io.osmhub.core.template;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The templates of one configuration: snippets by name, and files in order. {@code snippets} are sorted, so that the first error is
 * reproducible.
 */
public record TemplateSources(Map<String, String> snippets, List<File> files) {
    /** One file; its path is also its template's name in errors. */
    public record File(String path, String text) {}

    public TemplateSources {
        snippets = Collections.unmodifiableMap(new TreeMap<>(snippets));
        files = List.copyOf(files);
    }
}
