package io.osmhub.core.osc;

import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.osc.OperatingSystemConfig.Config;
import java.util.function.Consumer;

/** Writes an OperatingSystemConfig as the stored JSON: empty values are left out, keys are sorted. */
public final class OperatingSystemConfigWriter {
    /** A usual object has 25,000 characters. */
    private static final int USUAL_LENGTH = 1 << 15;

    private final JsonWriter json = new JsonWriter(new StringBuilder(USUAL_LENGTH));
    private final ConfigPartWriter parts = new ConfigPartWriter(json);

    private OperatingSystemConfigWriter() {}

    /** The whole object. */
    public static String object(OperatingSystemConfig config) {
        return object(config, writer -> writer.write(config.spec()));
    }

    /**
     * The whole object.
     *
     * @param spec its {@link #spec}, already written
     */
    public static String object(OperatingSystemConfig config, String spec) {
        return object(config, writer -> writer.json.raw(spec));
    }

    private static String object(OperatingSystemConfig config, Consumer<OperatingSystemConfigWriter> spec) {
        OperatingSystemConfigWriter writer = new OperatingSystemConfigWriter();
        writer.json
                .beginObject()
                .field("apiVersion", "operatingsystemmanager.k8c.io/v1alpha1")
                .field("kind", "OperatingSystemConfig")
                .key("metadata")
                .beginObject();
        writer.parts.map("annotations", config.annotations());
        writer.json.field("name", config.name()).field("namespace", config.namespace());
        writer.json.endObject().key("spec");
        spec.accept(writer);
        writer.json.endObject();
        return writer.json.toString();
    }

    /** The spec alone; equal specs have equal texts. */
    public static String spec(OperatingSystemConfig.Spec spec) {
        OperatingSystemConfigWriter writer = new OperatingSystemConfigWriter();
        writer.write(spec);
        return writer.json.toString();
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
