package io.osmhub.tenancy.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The stored profiles, as they would be if some were applied. */
public final class ProposedProfiles implements ProfileShelf {
    private final ProfileShelf stored;
    private final List<StoredProfile> proposed;

    public ProposedProfiles(ProfileShelf stored, List<StoredProfile> proposed) {
        this.stored = stored;
        this.proposed = List.copyOf(proposed);
    }

    /** A profile that is nowhere stored, as the API server would keep it. One that cannot be read has mistakes. */
    public static StoredProfile read(JsonNode object) {
        return StoredProfile.of(object, new ProfileContents());
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
    public boolean offers(String namespace) {
        return stored.offers(namespace);
    }
}
