package io.osmhub.sim.resource;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What one cluster serves at this moment. Safe for use by several threads. */
public final class ResourceCatalog {
    private volatile Map<ResourceKey, List<ResourceType>> custom = Map.of();

    /** Serves these versions of a custom kind from now on, the preferred version first; none ends it. */
    public synchronized void define(ResourceKey key, List<ResourceType> versions) {
        Map<ResourceKey, List<ResourceType>> next = new LinkedHashMap<>(custom);
        if (versions.isEmpty()) {
            next.remove(key);
        } else {
            next.put(key, List.copyOf(versions));
        }
        custom = Map.copyOf(next);
    }

    /** The type at {@code /apis/group/version/plural}. */
    public Optional<ResourceType> at(String group, String version, String plural) {
        List<ResourceType> candidates = custom.getOrDefault(new ResourceKey(group, plural), BuiltInResources.ALL);
        return candidates.stream()
                .filter(type -> type.plural().equals(plural)
                        && type.group().equals(group)
                        && type.version().equals(version))
                .findFirst();
    }

    /** The type of objects with these two fields. */
    public Optional<ResourceType> of(String apiVersion, String kind) {
        return all().stream().filter(type -> type.is(apiVersion, kind)).findFirst();
    }

    /** Any one version of a kind. */
    public Optional<ResourceType> any(ResourceKey key) {
        return all().stream().filter(type -> type.key().equals(key)).findFirst();
    }

    /** Every type. */
    public List<ResourceType> all() {
        List<ResourceType> all = new ArrayList<>(BuiltInResources.ALL);
        custom.values().forEach(all::addAll);
        return all;
    }

    /** Versions by group, the preferred first; the core group is not among them. */
    public Map<String, List<String>> groups() {
        Map<String, List<String>> groups = new TreeMap<>();
        for (ResourceType type : all()) {
            if (!type.group().isEmpty()) {
                List<String> versions = groups.computeIfAbsent(type.group(), _ -> new ArrayList<>());
                if (!versions.contains(type.version())) {
                    versions.add(type.version());
                }
            }
        }
        return groups;
    }
}
