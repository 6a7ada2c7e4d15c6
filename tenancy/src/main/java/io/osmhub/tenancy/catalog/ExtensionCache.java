package io.osmhub.tenancy.catalog;

import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.ShippedDefinition;
import io.osmhub.tenancy.catalog.TenantProfileCatalog.ExtensionLister;
import io.osmhub.tenancy.crds.InstalledDefinitions;
import io.osmhub.tenancy.management.StatusCache;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.watch.ObjectCache.Origin;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * All OperatingSystemProfileExtensions of the management cluster, which may not serve the kind. A deleted one counts as unreadable for
 * some time, and listeners receive its deletion afterwards: the removal of a definition deletes its objects, which may be told first,
 * and a list may lack objects of a backup that is being restored. Neither must remove extensions from nodes.
 */
public final class ExtensionCache extends StatusCache<StoredExtension> implements ExtensionLister {
    /** The event about a definition that is removed with its objects may come after those about them. */
    private static final Duration DELETED_KEPT = Duration.ofSeconds(1);
    /** A backup that is being restored has the definition before its objects. */
    private static final Duration UNLISTED_KEPT = Duration.ofSeconds(60);

    private final Supplier<InstalledDefinitions> definitions;
    private final StoreListener<StoredExtension> changeListener;
    private final Scheduler scheduler;
    private final Map<ObjectKey, StoredExtension> unconfirmedDeletions = new ConcurrentHashMap<>();

    /** @param listeners their watch is an {@link AbsenceListener} */
    public ExtensionCache(
            Supplier<InstalledDefinitions> definitions,
            StoreListeners<StoredExtension> listeners,
            RuntimeContext runtimeContext) {
        super(
                Selection.all(Resource.OPERATING_SYSTEM_PROFILE_EXTENSIONS, ""),
                reducing(StoredExtension::of, (metadata, why, earlier) -> StoredExtension.of(metadata)
                        .unreadable(why, earlier == null ? null : earlier.status())),
                new StatusAccess<>(
                        () -> definitions.get().hasStatusSubresource(ShippedDefinition.PROFILE_EXTENSIONS),
                        StoredExtension::status,
                        StoredExtension::statusPlace),
                listeners,
                runtimeContext);
        this.definitions = definitions;
        this.changeListener = listeners.changes();
        this.scheduler = runtimeContext.scheduler();
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

    @Override
    protected boolean withholdsDeletion(ObjectKey key, StoredExtension deleted, Origin origin) {
        StoredExtension withheld = deleted.unreadable(unreadable("it was deleted just now"), null);
        unconfirmedDeletions.put(key, withheld);
        confirmDeletion(key, withheld, origin == Origin.LISTED ? UNLISTED_KEPT : DELETED_KEPT, true);
        return true;
    }

    /** @param wasReadable false if the kind could not be read: when it can, its objects get the time to be restored */
    private void confirmDeletion(ObjectKey key, StoredExtension withheld, Duration delay, boolean wasReadable) {
        scheduler.schedule(delay, () -> {
            boolean readable = unreadable().isEmpty();
            // The same one, not an equal one: it may have been restored and deleted again.
            if (unconfirmedDeletions.get(key) != withheld) {
                return;
            }
            if (!readable || !wasReadable) {
                confirmDeletion(key, withheld, UNLISTED_KEPT, readable);
            } else if (unconfirmedDeletions.remove(key, withheld) && find(key.namespace(), key.name()) == null) {
                changeListener.onChanged(key, withheld, null, Origin.WATCHED);
            }
        });
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
