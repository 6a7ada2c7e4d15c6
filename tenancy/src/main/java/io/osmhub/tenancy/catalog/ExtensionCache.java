package io.osmhub.tenancy.catalog;

import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.ShippedDefinition;
import io.osmhub.tenancy.crds.InstalledDefinitions;
import io.osmhub.tenancy.management.StatusCache;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** All OperatingSystemProfileExtensions of the management cluster, which may not serve the kind. */
public final class ExtensionCache extends StatusCache<StoredExtension> implements ExtensionLister {
    private final Supplier<InstalledDefinitions> definitions;
    /** Deleted ones that may come back. */
    private final Map<ObjectKey, StoredExtension> unconfirmedDeletions = new ConcurrentHashMap<>();

    /** @param listeners their watch is an {@link AbsenceListener} */
    public ExtensionCache(
            Supplier<InstalledDefinitions> definitions,
            StoreListeners<StoredExtension> listeners,
            RuntimeContext runtimeContext) {
        super(
                Selection.all(Resource.OPERATING_SYSTEM_PROFILE_EXTENSIONS, ""),
                reducing(
                        StoredExtension::of,
                        (head, why, earlier) -> StoredExtension.of(head, null, List.of(why), earlier)),
                new StatusAccess<>(
                        () -> definitions.get().hasStatusSubresource(ShippedDefinition.PROFILE_EXTENSIONS),
                        StoredExtension::status,
                        StoredExtension::statusPlace),
                listeners,
                runtimeContext);
        this.definitions = definitions;
    }

    /** None while the kind cannot be read: what was read before may be deleted. */
    @Override
    public Map<String, StoredExtension> in(String namespace) {
        if (isAbsent()) {
            return Map.of();
        }
        // Copied first: what is missing in the copy is already withheld.
        Map<String, StoredExtension> all = new HashMap<>(super.in(namespace));
        unconfirmedDeletions.forEach((key, deleted) -> {
            if (key.namespace().equals(namespace)) {
                all.putIfAbsent(key.name(), deleted);
            }
        });
        return all;
    }

    /**
     * Counts a deleted extension as unreadable until {@link #confirmDeletion}. The removal of a definition deletes its objects, which may
     * be told first; and a list may lack objects of a backup that is being restored. Neither must remove extensions from nodes.
     */
    @Override
    protected void beforeRemoval(ObjectKey key, StoredExtension deleted) {
        unconfirmedDeletions.put(key, deleted.unreadable(unreadable("it was deleted just now")));
    }

    /** Whether the last deletion of this object is withheld. */
    public boolean withholdsDeletion(ObjectKey key, StoredExtension deleted) {
        StoredExtension withheld = unconfirmedDeletions.get(key);
        return withheld != null && withheld.resourceVersion().equals(deleted.resourceVersion());
    }

    /** The deletion counts, or the extension exists again. */
    public void confirmDeletion(ObjectKey key) {
        unconfirmedDeletions.remove(key);
    }

    @Override
    public Optional<Problem> unreadable() {
        // Objects are deleted with their definition, which must not remove them from what is published.
        boolean removed = definitions.get().isBeingRemoved(ShippedDefinition.PROFILE_EXTENSIONS);
        if (isSynced() && !isAbsent() && !removed) {
            return Optional.empty();
        }
        return Optional.of(
                unreadable(absence().map(ApiFailure::text).orElse("not served, or not read by this command")));
    }

    private static Problem unreadable(String cause) {
        return new Problem(
                Reason.ExtensionsUnreadable,
                ProblemObject.of(ProfileExtension.KIND, ""),
                "",
                "OperatingSystemProfileExtensions cannot be read (" + cause + ")",
                "install the CustomResourceDefinition, and grant the hub list and watch");
    }
}
