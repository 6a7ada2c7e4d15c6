package io.osmhub.core.plan;

import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The hub as the owner of objects in worker clusters.
 *
 * @param id UID of {@code kube-system} of the management cluster; empty for the drop-in, which OSM's Lease excludes as it excludes OSM
 * @param former ids of the hubs whose objects it has taken over
 */
public record HubIdentity(String id, Set<String> former) {
    /** A hub without an id. */
    public static final HubIdentity NONE = new HubIdentity("", Set.of());

    public HubIdentity {
        former = Set.copyOf(former);
    }

    /** With further hubs whose objects it has taken over. */
    public HubIdentity withFormer(Collection<String> ids) {
        return new HubIdentity(
                id, Stream.concat(former.stream(), ids.stream()).collect(Collectors.toUnmodifiableSet()));
    }

    /**
     * Whether an object belongs to another hub. An object or a hub without an id proves nothing.
     *
     * @param owner value of {@link OwnershipAnnotations#HUB_ID}; null or empty if the object has none
     */
    public boolean isOther(@Nullable String owner) {
        return owner != null && !owner.isEmpty() && !id.isEmpty() && !isOwn(owner);
    }

    /** Whether an object with this id is provably of this hub. */
    boolean isOwn(String owner) {
        return owner.equals(id) || former.contains(owner);
    }
}
