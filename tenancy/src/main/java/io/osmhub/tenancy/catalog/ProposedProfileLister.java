package io.osmhub.tenancy.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The stored profiles with proposed ones applied. */
public final class ProposedProfileLister implements ProfileLister {
    private final ProfileLister stored;
    private final List<StoredProfile> proposed;

    public ProposedProfileLister(ProfileLister stored, List<StoredProfile> proposed) {
        this.stored = stored;
        this.proposed = List.copyOf(proposed);
    }

    /** Reads an unstored profile as the API server would keep it. An unreadable one has mistakes. */
    public static StoredProfile read(JsonNode object) {
        return StoredProfile.of(object, new ProfileContentInterner());
    }

    @Override
    public Map<String, StoredProfile> in(String namespace) {
        if (proposed.isEmpty()) {
            return stored.in(namespace);
        }
        Map<String, StoredProfile> all = new HashMap<>(stored.in(namespace));
        for (StoredProfile profile : proposed) {
            if (profile.namespace().equals(namespace)) {
                all.put(profile.name(), profile);
            }
        }
        return all;
    }

    @Override
    public boolean offersProfiles(String namespace) {
        return stored.offersProfiles(namespace);
    }
}
