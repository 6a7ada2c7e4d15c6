package io.osmhub.core.osc;

import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.osc.OperatingSystemConfig.Config;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes an OperatingSystemConfig as the JSON that is stored: what is empty is left out, keys are sorted. */
public final class ConfigWriter {
    private final StringBuilder text;
    private final JsonWriter json;

    private ConfigWriter(OperatingSystemConfig.Spec spec) {
        this.text = new StringBuilder(1024 + roughSize(spec.bootstrapConfig()) + roughSize(spec.provisioningConfig()));
        this.json = new JsonWriter(JsonWriter.Form.TEXT, text);
    }

    /** An upper guess, so that the buffer need not grow: an eighth of a script is escapes and long lines have fewer. */
    private static int roughSize(Config config) {
        int size = 0;
        for (OperatingSystemConfig.File file : config.files()) {
            size += file.data().length()
                    + (file.data().length() >> 3)
                    + file.path().length()
                    + 96;
        }
        for (SystemdUnit unit : config.units()) {
            String content = unit.content();
            size += (content == null ? 0 : content.length() + (content.length() >> 3)) + 256;
        }
        return size;
    }

    /** The whole object. */
    public static String object(OperatingSystemConfig config) {
        ConfigWriter writer = new ConfigWriter(config.spec());
        writer.json
                .beginObject()
                .field("apiVersion", "operatingsystemmanager.k8c.io/v1alpha1")
                .field("kind", "OperatingSystemConfig")
                .key("metadata")
                .beginObject();
        writer.map("annotations", config.annotations());
        writer.json.field("name", config.name()).field("namespace", config.namespace());
        writer.json.endObject().key("spec");
        writer.write(config.spec());
        writer.json.endObject();
        return writer.text.toString();
    }

    /** The spec alone: equal specs have equal texts. */
    public static String spec(OperatingSystemConfig.Spec spec) {
        ConfigWriter writer = new ConfigWriter(spec);
        writer.write(spec);
        return writer.text.toString();
    }

    private void write(OperatingSystemConfig.Spec spec) {
        json.beginObject().key("bootstrapConfig");
        config(spec.bootstrapConfig());
        json.key("cloudProvider").beginObject().field("name", spec.cloudProvider());
        if (spec.cloudProviderSpec() != null) {
            json.key("spec").raw(spec.cloudProviderSpec());
        }
        json.endObject().field("osName", spec.osName()).field("osVersion", spec.osVersion());
        json.key("provisioningConfig");
        config(spec.provisioningConfig());
        json.field("provisioningUtility", spec.provisioningUtility()).endObject();
    }

    private void config(Config config) {
        json.beginObject();
        list("files", config.files(), this::file);
        CloudInitModules modules = config.modules();
        if (modules != null) {
            json.key("modules");
            modules(modules);
        }
        list("units", config.units(), this::unit);
        list("userSSHKeys", config.userSshKeys(), json::value);
        json.endObject();
    }

    private void file(OperatingSystemConfig.File file) {
        json.beginObject().key("content").beginObject().key("inline").beginObject();
        json.field("data", file.data());
        text("encoding", file.encoding());
        json.endObject().endObject();
        json.field("path", file.path()).key("permissions").value(file.permissions());
        json.endObject();
    }

    private void unit(SystemdUnit unit) {
        json.beginObject();
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

    private void modules(CloudInitModules modules) {
        json.beginObject();
        list("bootcmd", modules.bootcmd(), json::value);
        map("rh_subscription", modules.rhSubscription());
        list("runcmd", modules.runcmd(), json::value);
        text("yum_repo_dir", modules.yumRepoDir());
        if (!modules.yumRepos().isEmpty()) {
            json.key("yum_repos").beginObject();
            // An empty repository stays one; everywhere else what is empty is left out.
            new TreeMap<>(modules.yumRepos()).forEach((repository, properties) -> {
                json.key(repository).beginObject();
                new TreeMap<>(properties).forEach(json::field);
                json.endObject();
            });
            json.endObject();
        }
        json.endObject();
    }

    private void text(String key, String value) {
        if (!value.isEmpty()) {
            json.field(key, value);
        }
    }

    private void bool(String key, @Nullable Boolean value) {
        if (value != null) {
            json.key(key).value((boolean) value);
        }
    }

    private <T> void list(String key, List<T> items, Consumer<T> write) {
        if (!items.isEmpty()) {
            json.key(key).beginArray();
            items.forEach(write);
            json.endArray();
        }
    }

    private void map(String key, Map<String, String> map) {
        if (!map.isEmpty()) {
            json.key(key).beginObject();
            new TreeMap<>(map).forEach(json::field);
            json.endObject();
        }
    }
}
