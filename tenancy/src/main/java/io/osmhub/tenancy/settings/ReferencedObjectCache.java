package io.osmhub.tenancy.settings;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.cluster.ObjectLookup;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.problem.Unreachable;
import io.osmhub.core.settings.TenantSettings.CaBundle;
import io.osmhub.core.settings.TenantSettings.KeyRef;
import io.osmhub.core.settings.TenantSettings.Provisioning;
import io.osmhub.core.settings.TenantSettings.SecretName;
import io.osmhub.tenancy.management.ManagementStore;
import io.osmhub.tenancy.management.NoopListWatchListener;
import io.osmhub.tenancy.management.ObjectMetadata;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The Secrets and ConfigMaps that one tenant's settings reference, each watched by name. Reads nothing else of the namespace.
 * Thread-safe.
 */
public final class ReferencedObjectCache implements ObjectLookup {
    /** Null while there is no connection. */
    private @Nullable KubeApi api;

    private final RuntimeContext runtimeContext;
    private final Runnable changed;
    private final Map<ObjectReference, ManagementStore<ReferencedObject>> watches = new HashMap<>();
    private final Map<ObjectReference, ApiFailure> denied = new ConcurrentHashMap<>();
    private boolean closed;

    /**
     * @param api of the cluster with the objects; null if it is connected later
     * @param changed called when any object may have changed: read again
     */
    public ReferencedObjectCache(@Nullable KubeApi api, Runnable changed, RuntimeContext runtimeContext) {
        this.api = api;
        this.changed = changed;
        this.runtimeContext = runtimeContext;
    }

    /** Continues with another connection to the same cluster; null suspends. */
    void connect(@Nullable KubeApi connection) {
        synchronized (watches) {
            if (connection != api && !closed) {
                api = connection;
                watches.values().forEach(this::restart);
            }
        }
    }

    private void restart(ManagementStore<ReferencedObject> watch) {
        if (api == null) {
            watch.stop();
        } else {
            watch.start(api);
        }
    }

    /** Sets the objects to watch. */
    void setReferences(Set<ObjectReference> wanted) {
        synchronized (watches) {
            if (closed) {
                return;
            }
            watches.entrySet().removeIf(entry -> {
                boolean unwanted = !wanted.contains(entry.getKey());
                if (unwanted) {
                    entry.getValue().close();
                    denied.remove(entry.getKey());
                }
                return unwanted;
            });
            for (ObjectReference reference : wanted) {
                if (!watches.containsKey(reference)) {
                    ManagementStore<ReferencedObject> watch = watch(reference);
                    watches.put(reference, watch);
                    restart(watch);
                }
            }
        }
    }

    private ManagementStore<ReferencedObject> watch(ObjectReference reference) {
        return new ManagementStore<>(
                new Selection(
                        reference.kind(),
                        reference.namespace(),
                        Map.of("fieldSelector", "metadata.name=" + reference.name())),
                object -> ReferencedObject.of(reference.kind(), object),
                (key, before, after, origin) -> {
                    changed.run();
                },
                new Listener(reference),
                runtimeContext);
    }

    /** Stops all watches. */
    public void close() {
        synchronized (watches) {
            closed = true;
            watches.values().forEach(ManagementStore::close);
            watches.clear();
        }
    }

    @Override
    public @Nullable Secret secret(String namespace, String name) {
        ReferencedObject object = find(new ObjectReference(Resource.SECRETS, namespace, name));
        return object == null ? null : new Secret(namespace, name, object.type(), object.data());
    }

    @Override
    public @Nullable Map<String, String> configMap(String namespace, String name) {
        ReferencedObject object = find(new ObjectReference(Resource.CONFIG_MAPS, namespace, name));
        return object == null ? null : object.data();
    }

    /**
     * @throws Unreachable while it is unknown whether the object exists
     * @throws TenantMistake without permission to read it
     */
    private @Nullable ReferencedObject find(ObjectReference reference) {
        ManagementStore<ReferencedObject> watch;
        synchronized (watches) {
            watch = watches.get(reference);
        }
        if (watch == null) {
            return null;
        }
        if (!watch.isSynced()) {
            String what = reference.kind().plural() + " " + reference.namespace() + "/" + reference.name();
            ApiFailure refusal = denied.get(reference);
            if (refusal != null) {
                throw new TenantMistake(new Problem(
                        Reason.SettingsReferenceNotFound,
                        ProblemObject.input(what),
                        "",
                        "not permitted to read it: " + refusal.text(),
                        "grant list and watch"));
            }
            throw new Unreachable(
                    new Problem(Reason.InitialSyncPending, ProblemObject.NONE, "", what + " not read yet", ""));
        }
        Problem unreadable = watch.unreadable(reference.namespace(), reference.name());
        if (unreadable != null) {
            throw new TenantMistake(unreadable);
        }
        return watch.find(reference.namespace(), reference.name());
    }

    /** Only the end of the first list matters: a failed watch restarts on its own. */
    private final class Listener extends NoopListWatchListener {
        private final ObjectReference reference;

        Listener(ObjectReference reference) {
            this.reference = reference;
        }

        @Override
        public void onSynced() {
            changed.run();
        }

        @Override
        public void onAccessDenied(ApiFailure failure) {
            if (denied.put(reference, failure) == null) {
                changed.run();
            }
        }

        @Override
        public void onRecovered() {
            if (denied.remove(reference) != null) {
                changed.run();
            }
        }
    }

    List<ObjectReference> watched() {
        synchronized (watches) {
            return List.copyOf(watches.keySet());
        }
    }

    /**
     * A Secret that a WorkerCluster references. The hub reads it with its own permissions and gives its content to nodes, so the
     * author of the reference must be permitted to read it.
     *
     * @param field below {@code spec}
     */
    public record SecretReference(String field, String name) {
        private static final List<String> FIELDS = List.of(
                "kubeconfigSecretRef",
                "provisioning.kubernetesCA.secretKeyRef",
                "provisioning.hostCA.secretKeyRef",
                "provisioning.registries.credentialsSecretRef",
                "provisioning.proxy.httpProxySecretRef",
                "provisioning.cloudCredentialsSecretRef");

        /** References of a spec that another one lacks, or has with another key. */
        public static List<SecretReference> changed(JsonNode before, JsonNode spec) {
            return FIELDS.stream()
                    .filter(field -> !at(spec, field).equals(at(before, field)))
                    .map(field -> new SecretReference(
                            field, at(spec, field).path("name").asText()))
                    .filter(reference -> !reference.name().isEmpty())
                    .toList();
        }

        private static JsonNode at(JsonNode spec, String field) {
            return spec.at("/" + field.replace('.', '/'));
        }

        /** Message for a user who may not reference it. */
        public String deniedMessage(String user, String namespace) {
            return "spec." + field + ": user " + user + " must not refer to Secret " + namespace + "/" + name
                    + " without permission to get it; ask for get on secrets " + name + " in namespace " + namespace;
        }
    }

    /**
     * A Secret or ConfigMap of the management cluster that a tenant's settings reference.
     *
     * @param kind SECRETS or CONFIG_MAPS
     */
    public record ObjectReference(Resource kind, String namespace, String name) {
        /**
         * All references of settings. Skips invalid names, which must not get into a field selector.
         *
         * @param foreign whether Secrets of other namespaces may be referenced: only by OSM's flags, which an operator writes
         */
        static Set<ObjectReference> of(Provisioning settings, String tenantNamespace, boolean foreign) {
            Set<ObjectReference> references = new LinkedHashSet<>();
            add(references, settings.kubernetesCa(), tenantNamespace);
            add(references, settings.hostCa(), tenantNamespace);
            SecretName registries = settings.registries().credentialsSecret();
            if (registries != null) {
                boolean own = registries.namespace().isEmpty()
                        || registries.namespace().equals(tenantNamespace);
                if (own || foreign) {
                    add(
                            references,
                            Resource.SECRETS,
                            own ? tenantNamespace : registries.namespace(),
                            registries.name());
                }
            }
            KeyRef proxy = settings.proxy().httpProxySecret();
            if (proxy != null) {
                add(references, Resource.SECRETS, tenantNamespace, proxy.name());
            }
            return references;
        }

        /** A Secret alone; none if null or with an invalid name. */
        static Set<ObjectReference> of(@Nullable SecretName secret) {
            Set<ObjectReference> references = new LinkedHashSet<>();
            if (secret != null) {
                add(references, Resource.SECRETS, secret.namespace(), secret.name());
            }
            return references;
        }

        private static void add(Set<ObjectReference> references, CaBundle bundle, String namespace) {
            KeyRef configMap = bundle.configMap();
            KeyRef secret = bundle.secret();
            add(references, Resource.CONFIG_MAPS, namespace, configMap == null ? null : configMap.name());
            add(references, Resource.SECRETS, namespace, secret == null ? null : secret.name());
        }

        private static void add(
                Set<ObjectReference> references, Resource kind, String namespace, @Nullable String name) {
            if (name != null && ObjectMetadata.isName(name)) {
                references.add(new ObjectReference(kind, namespace, name));
            }
        }
    }

    /**
     * A Secret or ConfigMap that settings reference.
     *
     * @param type of a Secret; empty for a ConfigMap
     * @param data decoded, without values that are not valid UTF-8
     */
    record ReferencedObject(String type, SortedMap<String, String> data) {
        ReferencedObject {
            data = Collections.unmodifiableSortedMap(new TreeMap<>(data));
        }

        static ReferencedObject of(Resource kind, JsonNode object) {
            SortedMap<String, String> data = new TreeMap<>();
            object.path("data").properties().forEach(entry -> {
                String text = entry.getValue().asText();
                String value = kind == Resource.SECRETS ? decoded(text) : text;
                if (value != null) {
                    data.put(entry.getKey(), value);
                }
            });
            return new ReferencedObject(object.path("type").asText(), data);
        }

        private static @Nullable String decoded(String base64) {
            try {
                byte[] bytes = Base64.getDecoder().decode(base64);
                return StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(bytes))
                        .toString();
            } catch (IllegalArgumentException | CharacterCodingException e) {
                return null;
            }
        }

        /** Omits the data. */
        @Override
        public String toString() {
            return "ReferencedObject[" + data.size() + " keys]";
        }
    }
}
