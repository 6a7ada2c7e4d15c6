package io.osmhub.tenancy.catalog;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.RenderSource;
import io.osmhub.core.osc.SpecHash;
import io.osmhub.core.osp.OperatingSystemProfileStatus.Users;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.tenancy.catalog.ConfigCache.ListedConfig;
import io.osmhub.tenancy.management.ObjectMetadata;
import io.osmhub.tenancy.management.StatusCache;
import io.osmhub.tenancy.management.StoredStatus;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.ObjectDecoder;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.ObservedObject;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All OperatingSystemConfigs of the management cluster, reduced to identity, annotations, hash of the spec and status. A tenant's
 * sync gets only its {@link TenantConfigStore}.
 */
public final class ConfigCache extends StatusCache<ListedConfig> {
    /**
     * @param namespace the only one to watch; empty for all
     * @param hasSubresource whether the CustomResourceDefinition has a status subresource
     */
    public ConfigCache(
            String namespace,
            BooleanSupplier hasSubresource,
            StoreListeners<ListedConfig> listeners,
            RuntimeContext runtimeContext) {
        super(
                Selection.all(Resource.OPERATING_SYSTEM_CONFIGS, namespace),
                new ConfigDecoder(),
                new StatusAccess<>(hasSubresource, listed -> listed.config().status(), ListedConfig::statusPlace),
                listeners,
                runtimeContext);
    }

    private static @Nullable StoredConfig config(@Nullable ListedConfig listed) {
        return listed == null ? null : listed.config();
    }

    /** Reads the spec, most of the text, only if it may have changed, and keeps its hash. */
    static final class ConfigDecoder implements ObjectDecoder<ListedConfig> {
        @Override
        public ObservedObject<ListedConfig> decode(JsonParser parser) throws IOException {
            return read(parser, null);
        }

        @Override
        public ObservedObject<ListedConfig> decode(JsonParser parser, ListedConfig earlier) throws IOException {
            return read(parser, earlier);
        }

        private static ObservedObject<ListedConfig> read(JsonParser parser, @Nullable ListedConfig earlier)
                throws IOException {
            ObjectNode rest = WireJson.object();
            SpecSummary spec = SpecSummary.of(WireJson.object());
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String field = parser.currentName();
                if (parser.nextToken() != JsonToken.START_OBJECT || !field.equals("spec")) {
                    rest.set(field, WireJson.read(parser));
                } else if (earlier != null && hasSameSpec(earlier.config(), rest.path("metadata"))) {
                    spec = new SpecSummary(earlier.config().contentHash(), earlier.osName(), earlier.cloudProvider());
                    parser.skipChildren();
                } else {
                    spec = SpecSummary.of(WireJson.read(parser));
                }
            }
            return ObservedObject.of(rest, listed(rest, spec));
        }

        /** The API server increments the generation with every change of the spec. */
        private static boolean hasSameSpec(StoredConfig earlier, JsonNode metadata) {
            return earlier.generation() > 0
                    && earlier.generation() == metadata.path("generation").asLong()
                    && earlier.uid().equals(metadata.path("uid").asText());
        }
    }

    /** What lists show of a spec; a name is empty if it is not set. */
    private record SpecSummary(String hash, String osName, String cloudProvider) {
        static SpecSummary of(JsonNode spec) {
            return new SpecSummary(
                    SpecHash.of(spec),
                    text(spec.path("osName")),
                    text(spec.path("cloudProvider").path("name")));
        }

        private static String text(JsonNode node) {
            return node.isTextual() ? node.textValue() : "";
        }
    }

    /** Reads an object as this cache holds it. */
    public static StoredConfig read(JsonNode object) {
        try (JsonParser parser = object.traverse()) {
            parser.nextToken();
            return Objects.requireNonNull(new ConfigDecoder().decode(parser).object())
                    .config();
        } catch (IOException e) {
            throw new IllegalStateException("reading from memory", e);
        }
    }

    private static ListedConfig listed(JsonNode object, SpecSummary spec) {
        ObjectMetadata head = ObjectMetadata.of(object);
        StoredStatus status = StoredStatus.of(object);
        SortedMap<String, String> annotations = new TreeMap<>(head.annotations());
        annotations.remove(StoredStatus.ANNOTATION);
        StoredConfig config = new StoredConfig(
                head.namespace(),
                head.name(),
                head.uid(),
                head.resourceVersion(),
                head.generation(),
                annotations,
                spec.hash(),
                status.place() == StoredStatus.Place.NONE
                        ? null
                        : WireJson.compact(OperatingSystemConfigStatus.class, status.status()),
                head.lastWriter());
        return new ListedConfig(
                config, status.place(), head.labels(), head.creationTimestamp(), spec.osName(), spec.cloudProvider());
    }

    /** Returns null if there is none. */
    public @Nullable StoredConfig findConfig(String namespace, String name) {
        return config(find(namespace, name));
    }

    /** All of one namespace. */
    public Collection<StoredConfig> configsIn(String namespace) {
        return in(namespace).values().stream().map(ListedConfig::config).toList();
    }

    public Collection<StoredConfig> configs() {
        return all().stream().map(ListedConfig::config).toList();
    }

    /** The users of what each rendering was made from. */
    public Map<ObjectKey, Users> countUsers(Function<RenderSource, Stream<ObjectKey>> parts) {
        Map<ObjectKey, Set<String>> tenants = new HashMap<>();
        Map<ObjectKey, Integer> machineDeployments = new HashMap<>();
        for (StoredConfig config : configs()) {
            OperatingSystemConfigStatus status = config.status();
            RenderSource source = status == null ? null : status.source();
            Stream.ofNullable(source).flatMap(parts).distinct().forEach(key -> {
                tenants.computeIfAbsent(key, first -> new HashSet<>()).add(config.namespace());
                machineDeployments.merge(key, 1, Integer::sum);
            });
        }
        Map<ObjectKey, Users> users = new HashMap<>();
        machineDeployments.forEach((key, count) ->
                users.put(key, new Users(tenants.getOrDefault(key, Set.of()).size(), count)));
        return users;
    }

    /** Whether a change does not affect rendering, such as one of the status. */
    public static boolean haveSameContent(@Nullable ListedConfig listedBefore, @Nullable ListedConfig listedAfter) {
        StoredConfig before = config(listedBefore);
        StoredConfig after = config(listedAfter);
        return before != null
                && after != null
                && before.uid().equals(after.uid())
                && before.contentHash().equals(after.contentHash())
                && before.annotations().equals(after.annotations());
    }

    /** Caches the response to the hub's own write. */
    StoredConfig cacheResponse(byte[] answer) throws IOException {
        StoredConfig stored = config(putWritten(answer));
        if (stored == null) {
            throw new IOException("unexpected response: not an object");
        }
        return stored;
    }

    void deleted(StoredConfig config) {
        removeDeleted(config.namespace(), config.name(), config.uid());
    }

    /**
     * An OperatingSystemConfig with fields that only lists need.
     *
     * @param osName empty if not set
     * @param cloudProvider empty if not set
     */
    public record ListedConfig(
            StoredConfig config,
            StoredStatus.Place statusPlace,
            Map<String, String> labels,
            Instant createdAt,
            String osName,
            String cloudProvider) {
        public ListedConfig {
            labels = Map.copyOf(labels);
        }
    }
}
