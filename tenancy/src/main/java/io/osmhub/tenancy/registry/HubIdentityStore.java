package io.osmhub.tenancy.registry;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.osmhub.core.plan.HubIdentity;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ids of a hub, stored in its namespace so that a backup contains them: a hub that is restored into another management
 * cluster has another id there, and owns what it wrote under the earlier ones. The former hub does not own what the restored one
 * writes, so that the two do not overwrite each other's objects endlessly if both run.
 */
public final class HubIdentityStore {
    /** Name of the Secret with the ids. */
    public static final String SECRET = "osm-hub-identity";

    private static final Logger LOG = LoggerFactory.getLogger(HubIdentityStore.class);
    private static final String IDS = "osmhub.io/hub-ids";

    private final KubeApi managementApi;
    private final String namespace;

    /** @param namespace the hub's own */
    public HubIdentityStore(KubeApi managementApi, String namespace) {
        this.managementApi = managementApi;
        this.namespace = namespace;
    }

    /**
     * Reads the identity, and stores the id unless it is stored. Without permission the hub has only this id. Blocks.
     *
     * @param id UID of {@code kube-system} of the management cluster
     * @throws ApiFailure for a transient failure, or if another replica stored it at the same time: retry
     */
    public HubIdentity load(String id) throws ApiFailure {
        Set<String> ids = Set.of();
        try {
            Secret secret = find();
            ids = ids(secret);
            if (!ids.contains(id) && !id.isEmpty()) {
                if (!ids.isEmpty()) {
                    LOG.atWarn()
                            .addKeyValue("formerHub", String.join(" ", ids))
                            .log("Hub restored from the backup of another management cluster; it adopts what the hub"
                                    + " there wrote to worker clusters. Stop that hub if it still runs");
                }
                store(secret, ids, id);
            }
        } catch (ApiFailure e) {
            if (!e.isRejection() || e.isTransient()) {
                throw e;
            }
            LOG.atWarn()
                    .addKeyValue("secret", namespace + "/" + SECRET)
                    .addKeyValue("cause", e.text())
                    .log("Could not read or store the hub's identity, so a backup does not contain it;"
                            + " apply the hub's role to its namespace");
        }
        return new HubIdentity(id, ids);
    }

    /** The identity of a hub with this id, without storing it. Blocks. */
    public HubIdentity read(String id) throws ApiFailure {
        return new HubIdentity(id, ids(find()));
    }

    private @Nullable Secret find() throws ApiFailure {
        return managementApi.<@Nullable Secret>call(client ->
                client.secrets().inNamespace(namespace).withName(SECRET).get());
    }

    private static Set<String> ids(@Nullable Secret secret) {
        ObjectMeta metadata = secret == null ? null : secret.getMetadata();
        String text = metadata == null || metadata.getAnnotations() == null
                ? ""
                : metadata.getAnnotations().getOrDefault(IDS, "");
        return text.isBlank() ? Set.of() : new TreeSet<>(List.of(text.strip().split("\\s+")));
    }

    private void store(@Nullable Secret found, Set<String> ids, String id) throws ApiFailure {
        Secret secret = (found == null ? new SecretBuilder() : new SecretBuilder(found))
                .editOrNewMetadata()
                .withNamespace(namespace)
                .withName(SECRET)
                .addToAnnotations(IDS, (String.join(" ", ids) + " " + id).strip())
                .endMetadata()
                .build();
        managementApi.call(client -> {
            var request = client.secrets().resource(secret);
            return found == null ? request.create() : request.update();
        });
    }
}
