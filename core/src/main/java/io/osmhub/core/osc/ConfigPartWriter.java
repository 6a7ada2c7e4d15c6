package io.osmhub.core.osc;

import io.osmhub.core.emit.json.JsonWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the common parts of profiles and rendered configurations as JSON. Fields that the stored object leaves out
 * when empty are left out, so that texts are equal only if the objects are; keys are sorted. Not thread-safe.
 */
public final class ConfigPartWriter {
    private final JsonWriter json;

    public ConfigPartWriter(JsonWriter json) {
        this.json = json;
    }

    public void units(List<SystemdUnit> units) {
        list("units", units, this::unit);
    }

    private void unit(SystemdUnit unit) {
        json.beginObject();
        // Empty is not left out: the stored object distinguishes the two.
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
            // An empty repository is kept.
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
