package io.osmhub.core.osc;

import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.osc.OperatingSystemConfig.Config;

/** Writes an OperatingSystemConfig as the stored JSON: empty values are left out, keys are sorted. */
public final class OperatingSystemConfigWriter {
    private final StringBuilder text;
    private final JsonWriter json;
    private final ConfigPartWriter parts;

    private OperatingSystemConfigWriter(OperatingSystemConfig.Spec spec) {
        this.text = new StringBuilder(1024 + roughSize(spec.bootstrapConfig()) + roughSize(spec.provisioningConfig()));
        this.json = new JsonWriter(text);
        this.parts = new ConfigPartWriter(json);
    }

    /** An upper estimate, so that the buffer need not grow: an eighth of a script is escapes, less with long lines. */
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
        OperatingSystemConfigWriter writer = new OperatingSystemConfigWriter(config.spec());
        writer.json
                .beginObject()
                .field("apiVersion", "operatingsystemmanager.k8c.io/v1alpha1")
                .field("kind", "OperatingSystemConfig")
                .key("metadata")
                .beginObject();
        writer.parts.map("annotations", config.annotations());
        writer.json.field("name", config.name()).field("namespace", config.namespace());
        writer.json.endObject().key("spec");
        writer.write(config.spec());
        writer.json.endObject();
        return writer.text.toString();
    }

    /** The spec alone; equal specs have equal texts. */
    public static String spec(OperatingSystemConfig.Spec spec) {
        OperatingSystemConfigWriter writer = new OperatingSystemConfigWriter(spec);
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
        parts.list("files", config.files(), this::file);
        parts.modules(config.modules());
        parts.units(config.units());
        parts.list("userSSHKeys", config.userSshKeys(), json::value);
        json.endObject();
    }

    private void file(OperatingSystemConfig.File file) {
        json.beginObject().key("content").beginObject().key("inline").beginObject();
        json.field("data", file.data());
        parts.text("encoding", file.encoding());
        json.endObject().endObject();
        json.field("path", file.path()).key("permissions").value(file.permissions());
        json.endObject();
    }
}
