package io.osmhub.e2e.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NamespaceableResource;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.osmhub.e2e.cluster.ApiResource.ResourcePath;
import java.net.HttpURLConnection;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * fabric8's client of one API server as one user, over the JDK's HTTP client: a mistake in the hub's own transport cannot hide
 * itself here. {@link #typed} is for the kinds that have Java types; the methods here take and return JSON as users write it.
 */
public final class ClusterClient implements AutoCloseable {
    private static final String OWN_FIELDS = "e2e";
    private static final int NOT_FOUND = 404;
    private static final int FORBIDDEN = 403;

    private final KubernetesClient client;

    /** @param authority PEM text of the CA that signed the API server's certificate */
    ClusterClient(String url, String authority, String token) {
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl(url)
                .withCaCertData(Base64.getEncoder().encodeToString(authority.getBytes(UTF_8)))
                .withOauthToken(token)
                .withRequestTimeout(30_000)
                // No retries: tests wait themselves, and errors are results.
                .withRequestRetryBackoffLimit(0)
                .build();
        this.client = new KubernetesClientBuilder().withConfig(config).build();
    }

    /** Typed access to the kinds of Kubernetes itself. */
    public KubernetesClient typed() {
        return client;
    }

    /** @throws KubernetesClientException when it is not there, or not for this user */
    public JsonNode get(ResourcePath place) {
        return place.name().isEmpty()
                ? tree(objects(place).list())
                : find(place).orElseThrow(() -> new KubernetesClientException(place + " not found", NOT_FOUND, null));
    }

    /** Empty when there is none. */
    public Optional<JsonNode> find(ResourcePath place) {
        return place.name().isEmpty()
                ? Optional.of(get(place))
                : Optional.ofNullable(object(place).get()).map(this::tree);
    }

    /** Whether this user may read what is at a place. A new role counts only after a moment. */
    public boolean allowed(ResourcePath place) {
        try {
            get(place);
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() == FORBIDDEN) {
                return false;
            }
            throw e;
        }
    }

    public List<JsonNode> list(ResourcePath place) {
        return list(place, Map.of());
    }

    /** Those with all of these labels. */
    public List<JsonNode> list(ResourcePath place, Map<String, String> labels) {
        return objects(place).withLabels(labels).list().getItems().stream()
                .<JsonNode>map(this::tree)
                .toList();
    }

    public JsonNode create(JsonNode object) {
        return tree(resource(object).create());
    }

    /** Creates, without storing; the API server's defaults, validation and admission are applied. */
    public JsonNode dryRun(JsonNode object) {
        return tree(resource(object).dryRun().create());
    }

    /** Applies by server-side apply, without storing; fields that the API server does not know are refused. */
    public JsonNode dryRunApply(JsonNode object) {
        return tree(resource(object)
                .dryRun()
                .fieldManager(OWN_FIELDS)
                .forceConflicts()
                .serverSideApply());
    }

    /** Replaces; the object carries the resourceVersion that it replaces. */
    public JsonNode replace(JsonNode object) {
        return tree(resource(object).update());
    }

    /** Creates or replaces. The client reads the stored version first; if the hub writes a status meanwhile, this retries. */
    public JsonNode put(JsonNode object) {
        for (int retries = 10; ; retries--) {
            try {
                return tree(resource(object).createOr(NonDeletingOperation::update));
            } catch (KubernetesClientException e) {
                if (e.getCode() != HttpURLConnection.HTTP_CONFLICT || retries == 0) {
                    throw e;
                }
            }
        }
    }

    /** The stored form of an object that is written here as a user writes it. */
    public JsonNode stored(JsonNode object) {
        return tree(resource(object).require());
    }

    /**
     * Creates or changes, as {@code kubectl apply --server-side --force-conflicts} does. The API server reads this body as YAML, where
     * U+0085, U+2028 and U+2029 end a line, and the client does not escape them: for texts with such characters there is {@link #put}.
     */
    public JsonNode apply(JsonNode object) {
        return tree(resource(object).fieldManager(OWN_FIELDS).forceConflicts().serverSideApply());
    }

    /** Applies all objects of a YAML text, in its order. */
    public void apply(String yaml) {
        ManifestObjects.objects(yaml).forEach(this::apply);
    }

    /** Merges YAML or JSON into what is stored. */
    public JsonNode merge(ResourcePath place, String patch) {
        PatchContext merge = PatchContext.of(PatchType.JSON_MERGE);
        merge.setFieldManager(OWN_FIELDS);
        return tree(object(place).patch(merge, ManifestObjects.object(patch).toString()));
    }

    /** Deletes; nothing happens when it is not there. */
    public void delete(ResourcePath place) {
        object(place).delete();
    }

    /** The same for a user's object. */
    public void delete(JsonNode object) {
        resource(object).delete();
    }

    /** Whether the API server serves requests. */
    boolean isReady() {
        try {
            return "ok".equals(client.raw("/readyz"));
        } catch (KubernetesClientException notYet) {
            return false;
        }
    }

    private io.fabric8.kubernetes.client.dsl.Resource<GenericKubernetesResource> object(ResourcePath place) {
        return objects(place).withName(place.name());
    }

    private NonNamespaceOperation<
                    GenericKubernetesResource,
                    GenericKubernetesResourceList,
                    io.fabric8.kubernetes.client.dsl.Resource<GenericKubernetesResource>>
            objects(ResourcePath place) {
        // Without a namespace the path is that of all namespaces, and of objects that are in none.
        boolean namespaced = !place.namespace().isEmpty();
        var all = client.genericKubernetesResources(new ResourceDefinitionContext.Builder()
                .withGroup(place.resource().group())
                .withVersion(place.resource().version())
                .withPlural(place.resource().plural())
                .withNamespaced(namespaced)
                .build());
        return namespaced ? all.inNamespace(place.namespace()) : all;
    }

    private NamespaceableResource<GenericKubernetesResource> resource(JsonNode object) {
        return client.resource(
                client.getKubernetesSerialization().convertValue(object, GenericKubernetesResource.class));
    }

    private ObjectNode tree(Object object) {
        return client.getKubernetesSerialization().convertValue(object, ObjectNode.class);
    }

    @Override
    public void close() {
        client.close();
    }

    /** A copy of an object without what the API server added, to be created again elsewhere. */
    public static ObjectNode asWritten(JsonNode object) {
        ObjectNode copy = object.deepCopy();
        copy.remove("status");
        ((ObjectNode) copy.path("metadata"))
                .remove(List.of("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields"));
        return copy;
    }
}
