package io.osmhub.deploy.profiles;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** A recipe or part of one, with its location for messages. */
record RecipeFragment(String place, Map<?, ?> entries) {
    static RecipeFragment read(Path file) throws IOException {
        Object root = new Load(LoadSettings.builder().setLabel(file.toString()).build())
                .loadFromString(Files.readString(file));
        return new RecipeFragment(file.toString(), map(file.toString(), root));
    }

    String text(String key) {
        Object value = entries.get(key);
        if (value == null) {
            throw new IllegalArgumentException(place + ": " + key + " is missing");
        }
        return value.toString();
    }

    List<String> texts(String key) {
        return values(key).stream().map(Object::toString).toList();
    }

    Map<String, String> textMap(String key) {
        Map<String, String> texts = new TreeMap<>();
        section(key).entries.forEach((name, value) -> texts.put(String.valueOf(name), String.valueOf(value)));
        return texts;
    }

    /** Empty if missing. */
    RecipeFragment section(String key) {
        return new RecipeFragment(place + ": " + key, map(place, entries.get(key)));
    }

    List<RecipeFragment> list(String key) {
        return values(key).stream()
                .map(item -> new RecipeFragment(place + ": " + key, map(place, item)))
                .toList();
    }

    private List<?> values(String key) {
        return entries.get(key) instanceof List<?> list ? list : List.of();
    }

    private static Map<?, ?> map(String place, @Nullable Object value) {
        if (value == null) {
            return Map.of();
        }
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        throw new IllegalArgumentException(place + ": " + value + " is not a map");
    }

    @Override
    public String toString() {
        return place;
    }
}
