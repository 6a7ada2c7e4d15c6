package io.osmhub.tenancy.catalog;

import java.util.Map;

/** Where profiles lie, by namespace; what {@link TenantProfiles} looks into. */
public interface ProfileShelf {
    /** Profiles of one namespace by name; empty when it has none. */
    Map<String, StoredProfile> in(String namespace);

    /** Whether a namespace offers its profiles to others. */
    boolean offers(String namespace);
}
