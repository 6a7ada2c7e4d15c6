package io.osmhub.core.render;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.emit.json.JsonWriter;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.render.Renderer.RenderedConfig;
import io.osmhub.core.userdata.EdgeScript;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The Secrets of one MachineDeployment in its worker cluster. Names, keys and annotations are those of OSM, but they are not
 * immutable, so that they can be updated in place.
 *
 * @param edgeScript null unless the cloud provider is {@code edge}
 */
public record WorkerSecrets(
        WorkerSecret provisioning,
        WorkerSecret bootstrap,
        WorkerSecret kubeletBootstrap,
        @Nullable WorkerSecret edgeScript) {
    private static final String CLOUD_CONFIG = "cloud-config";
    private static final String OPAQUE = "Opaque";

    /**
     * One Secret with one value.
     *
     * @param type empty for the API server's default
     */
    public record WorkerSecret(
            String name, String type, SortedMap<String, String> annotations, String key, Sensitive payload) {
        public WorkerSecret {
            annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
        }

        /** The object as it is stored, or without its value. */
        public String json(boolean withData) {
            JsonWriter json = new JsonWriter().beginObject();
            if (withData) {
                String value =
                        Base64.getEncoder().encodeToString(payload.reveal().getBytes(UTF_8));
                json.key("data").beginObject().field(key, value).endObject();
            }
            json.field("apiVersion", "v1").field("kind", "Secret");
            json.key("metadata").beginObject();
            if (!annotations.isEmpty()) {
                json.key("annotations").beginObject();
                annotations.forEach(json::field);
                json.endObject();
            }
            json.field("name", name)
                    .field("namespace", ObjectNames.SETTINGS_NAMESPACE)
                    .endObject();
            if (!type.isEmpty()) {
                json.field("type", type);
            }
            return json.endObject().toString();
        }
    }

    /**
     * Builds the Secrets of a rendering.
     *
     * @throws io.osmhub.core.problem.TenantMistake if a value cannot be represented in the edge script
     */
    public static WorkerSecrets of(RenderInput input, RenderedConfig rendering, RenderedConfig.Documents documents) {
        ObjectNames names = rendering.names();
        SortedMap<String, String> stamps = rendering.stamps().annotations();
        Sensitive provisioning = new Sensitive(documents.provisioning());
        Sensitive bootstrap = new Sensitive(documents.bootstrap());
        WorkerSecret edgeScript = null;
        if (rendering.revealed().cloudProvider().equals("edge")) {
            EdgeScript script = new EdgeScript(
                    input.access().apiServer().server(),
                    input.access().fetchToken(),
                    names.bootstrapSecret(),
                    input.resolved().kubernetesCa());
            edgeScript = plain(names.edgeScriptSecret(), EdgeScript.SECRET_KEY, new Sensitive(script.text()));
        }
        return new WorkerSecrets(
                new WorkerSecret(names.provisioningSecret(), OPAQUE, stamps, CLOUD_CONFIG, provisioning),
                new WorkerSecret(names.bootstrapSecret(), OPAQUE, stamps, CLOUD_CONFIG, bootstrap),
                plain(names.kubeletBootstrapSecret(), "kubeconfig", rendering.kubeletKubeconfig()),
                edgeScript);
    }

    private static WorkerSecret plain(String name, String key, Sensitive payload) {
        return new WorkerSecret(name, "", new TreeMap<>(), key, payload);
    }

    /** In write order: what a machine's first script fetches exists before the machine can start. */
    public List<WorkerSecret> all() {
        return Stream.of(kubeletBootstrap, edgeScript, provisioning, bootstrap)
                .filter(Objects::nonNull)
                .toList();
    }
}
