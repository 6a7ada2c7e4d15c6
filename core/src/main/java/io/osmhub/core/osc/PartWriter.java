package io.osmhub.core.osc;

import io.osmhub.core.emit.json.JsonWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the parts that profiles and rendered configurations have in common as JSON. What is empty is left out where the stored
 * object has it left out, so that two texts are equal only if the objects are; keys are sorted. For one thread.
 */
public final class PartWriter {
    private final JsonWriter json;

    public PartWriter(JsonWriter json) {
        this.json = json;
    }

    public void units(List<SystemdUnit> units) {
        list("units", units, this::unit);
    }

    private void unit(SystemdUnit unit) {
        json.beginObject();
        // Empty is not left out: the stored object shows the difference.
        if (unit.content() != null) {
            json.field("content", unit.content());
        }
        list("dropIns", unit.dropIns(), dropIn -> json.beginObject()
                .field("content", dropIn.content())
                .field("name", dropIn.name())
                .endObject());
        bool("enable", unit.enable());
        bool("mask", unit.mask());
        json.field("name", unit.name()).endObject();
    }

    public void modules(@Nullable CloudInitModules modules) {
        if (modules == null) {
            return;
        }
        json.key("modules").beginObject();
        list("bootcmd", modules.bootcmd(), json::value);
        map("rh_subscription", modules.rhSubscription());
        list("runcmd", modules.runcmd(), json::value);
        text("yum_repo_dir", modules.yumRepoDir());
        if (!modules.yumRepos().isEmpty()) {
            json.key("yum_repos").beginObject();
            // An empty repository stays one.
            new TreeMap<>(modules.yumRepos()).forEach((repository, properties) -> {
                json.key(repository);
                entries(properties);
            });
            json.endObject();
        }
        json.endObject();
    }

    public void text(String key, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            json.field(key, value);
        }
    }

    private void bool(String key, @Nullable Boolean value) {
        if (value != null) {
            json.key(key).value((boolean) value);
        }
    }

    public <T> void list(String key, List<T> items, Consumer<T> write) {
        if (!items.isEmpty()) {
            json.key(key).beginArray();
            items.forEach(write);
            json.endArray();
        }
    }

    public void map(String key, Map<String, String> map) {
        if (!map.isEmpty()) {
            json.key(key);
            entries(map);
        }
    }

    private void entries(Map<String, String> map) {
        json.beginObject();
        new TreeMap<>(map).forEach(json::field);
        json.endObject();
    }
}
