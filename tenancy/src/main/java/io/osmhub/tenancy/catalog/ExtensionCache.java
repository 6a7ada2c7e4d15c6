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
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.Selection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** All OperatingSystemProfileExtensions of the management cluster, which may not serve the kind. */
public final class ExtensionCache extends StatusCache<StoredExtension> implements ExtensionLister {
    private final Supplier<InstalledDefinitions> definitions;

    /** @param listeners their watch is an {@link AbsenceListener} */
    public ExtensionCache(
            Supplier<InstalledDefinitions> definitions,
            StoreListeners<StoredExtension> listeners,
            RuntimeContext runtimeContext) {
        super(
                Selection.all(Resource.OPERATING_SYSTEM_PROFILE_EXTENSIONS, ""),
                reducing(StoredExtension::of, StoredExtension::unreadable),
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
        return isAbsent() ? Map.of() : super.in(namespace);
    }

    @Override
    public Optional<Problem> unreadable() {
        String cause;
        if (!isKnown()) {
            cause = "they are not listed";
        } else if (isAbsent()) {
            cause = absence().map(ApiFailure::text).orElse("");
        } else if (definitions.get().isBeingRemoved(ShippedDefinition.PROFILE_EXTENSIONS)) {
            // Its objects are deleted with it, which must not remove them from what is published.
            cause = "their CustomResourceDefinition is not served";
        } else {
            return Optional.empty();
        }
        return Optional.of(new Problem(
                Reason.ExtensionsUnreadable,
                ProblemObject.of(ProfileExtension.KIND, ""),
                "",
                "OperatingSystemProfileExtensions cannot be read (" + cause + ")",
                "install the CustomResourceDefinition, and grant the hub list and watch"));
    }
}
