package io.osmhub.core.osp;

import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.model.Sha256;
import io.osmhub.core.osc.ConfigPartWriter;
import io.osmhub.core.osp.OperatingSystemProfile.Config;
import io.osmhub.core.osp.OperatingSystemProfile.ContainerRuntime;
import io.osmhub.core.osp.OperatingSystemProfile.File;
import io.osmhub.core.osp.OperatingSystemProfile.Inline;
import java.util.List;

/** SHA-256 of a profile's spec as JSON with sorted keys: profiles with equal hashes share one compiled profile. */
public final class ProfileContentHash {
    private final JsonWriter json = new JsonWriter(new StringBuilder(1 << 16));
    private final ConfigPartWriter parts = new ConfigPartWriter(json);

    private ProfileContentHash() {}

    /** The canonical JSON of {@code spec}. */
    public static String json(OperatingSystemProfile.Spec spec) {
        ProfileContentHash writer = new ProfileContentHash();
        writer.spec(spec);
        return writer.json.toString();
    }

    /** Lower-case hex. */
    public static String of(OperatingSystemProfile.Spec spec) {
        return Sha256.hex(json(spec));
    }

    private void spec(OperatingSystemProfile.Spec spec) {
        json.beginObject().key("bootstrapConfig");
        config(spec.bootstrapConfig());
        json.field("osName", spec.osName()).field("osVersion", spec.osVersion());
        json.key("provisioningConfig");
        config(spec.provisioningConfig());
        parts.text("provisioningUtility", spec.provisioningUtility());
        parts.list("supportedCloudProviders", spec.supportedCloudProviders(), provider -> json.beginObject()
                .field("name", provider)
                .endObject());
        parts.text("supportedKubernetesVersions", spec.supportedKubernetesVersions());
        parts.list("supportedNodeFetch", spec.supportedNodeFetch(), way -> json.value(way.wireName()));
        json.field("templateEngine", spec.templateEngine().wireName());
        json.field("version", spec.version()).endObject();
    }

    private void config(Config config) {
        json.beginObject();
        files(config.files());
        parts.modules(config.modules());
        parts.list("supportedContainerRuntimes", config.supportedContainerRuntimes(), this::runtime);
        parts.map("templates", config.templates());
        parts.units(config.units());
        json.endObject();
    }

    private void files(List<File> files) {
        parts.list("files", files, file -> {
            json.beginObject();
            Inline inline = file.inline();
            if (inline != null) {
                json.key("content").beginObject().key("inline").beginObject();
                json.field("data", inline.data());
                parts.text("encoding", inline.encoding());
                json.endObject().endObject();
            }
            json.field("path", file.path()).key("permissions").value(file.permissions());
            json.endObject();
        });
    }

    private void runtime(ContainerRuntime runtime) {
        json.beginObject();
        files(runtime.files());
        json.field("name", runtime.name());
        parts.map("templates", runtime.templates());
        json.endObject();
    }
}
