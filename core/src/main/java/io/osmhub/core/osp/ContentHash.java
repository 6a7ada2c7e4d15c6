package io.osmhub.core.osp;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.osc.CloudInitModules;
import io.osmhub.core.osc.SystemdUnit;
import io.osmhub.core.osp.OperatingSystemProfile.Config;
import io.osmhub.core.osp.OperatingSystemProfile.ContainerRuntime;
import io.osmhub.core.osp.OperatingSystemProfile.File;
import io.osmhub.core.osp.OperatingSystemProfile.Inline;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** SHA-256 of a profile's spec as JSON with sorted keys: equal hashes share one compiled profile, whatever their names. */
public final class ContentHash {
    private final JsonWriter json = new JsonWriter(JsonWriter.Form.TEXT, new StringBuilder(1 << 16));

    private ContentHash() {}

    /** Lower-case hex. */
    public static String of(OperatingSystemProfile.Spec spec) {
        ContentHash writer = new ContentHash();
        writer.spec(spec);
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(writer.json.toString().getBytes(UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private void spec(OperatingSystemProfile.Spec spec) {
        json.beginObject().key("bootstrapConfig");
        config(spec.bootstrapConfig());
        json.field("osName", spec.osName()).field("osVersion", spec.osVersion());
        json.key("provisioningConfig");
        config(spec.provisioningConfig());
        text("provisioningUtility", spec.provisioningUtility());
        list("supportedCloudProviders", spec.supportedCloudProviders(), provider -> json.beginObject()
                .field("name", provider)
                .endObject());
        text("supportedKubernetesVersions", spec.supportedKubernetesVersions());
        json.field("templateEngine", spec.templateEngine().wireName());
        json.field("version", spec.version()).endObject();
    }

    private void config(Config config) {
        json.beginObject();
        files(config.files());
        CloudInitModules modules = config.modules();
        if (modules != null) {
            json.key("modules");
            modules(modules);
        }
        list("supportedContainerRuntimes", config.supportedContainerRuntimes(), this::runtime);
        map("templates", config.templates());
        list("units", config.units(), this::unit);
        json.endObject();
    }

    private void files(List<File> files) {
        list("files", files, file -> {
            json.beginObject();
            Inline inline = file.inline();
            if (inline != null) {
                json.key("content").beginObject().key("inline").beginObject();
                json.field("data", inline.data());
                text("encoding", inline.encoding());
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
        map("templates", runtime.templates());
        json.endObject();
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

    private void modules(CloudInitModules modules) {
        json.beginObject();
        list("bootcmd", modules.bootcmd(), json::value);
        map("rh_subscription", modules.rhSubscription());
        list("runcmd", modules.runcmd(), json::value);
        text("yum_repo_dir", modules.yumRepoDir());
        if (!modules.yumRepos().isEmpty()) {
            json.key("yum_repos").beginObject();
            new TreeMap<>(modules.yumRepos()).forEach(this::map);
            json.endObject();
        }
        json.endObject();
    }

    private void text(String key, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
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
