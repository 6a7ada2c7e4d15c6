package io.osmhub.tenancy.catalog;

import java.util.Map;

/** Profiles by namespace, for {@link TenantProfileCatalog}. */
public interface ProfileLister {
    /** Profiles of one namespace by name. */
    Map<String, StoredProfile> in(String namespace);

    /** Whether a namespace shares its profiles. */
    boolean offersProfiles(String namespace);
}
