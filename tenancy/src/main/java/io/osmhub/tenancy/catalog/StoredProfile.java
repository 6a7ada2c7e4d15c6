package io.osmhub.tenancy.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.document.Document;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.OperatingSystemProfileStatus;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.tenancy.wire.ObjectHead;
import io.osmhub.tenancy.wire.WireJson;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of an OperatingSystemProfile.
 *
 * @param installedHash hash of the content as the hub installed it; empty when it did not
 * @param version {@code spec.version}
 * @param content null when the spec does not have a profile's form, as under a foreign CustomResourceDefinition it may
 * @param mistakes why there is no content
 * @param status what the hub wrote last; null when it wrote nothing
 */
public record StoredProfile(
        String namespace,
        String name,
        String uid,
        String resourceVersion,
        long generation,
        String installedHash,
        String version,
        @Nullable ProfileContent content,
        List<Finding> mistakes,
        @Nullable OperatingSystemProfileStatus status,
        Map<String, String> labels,
        Instant createdAt) {
    /** Annotation of a default profile: hash of its content as installed. */
    public static final String INSTALLED_HASH = "osmhub.io/installed-hash";

    public StoredProfile {
        mistakes = List.copyOf(mistakes);
        labels = Map.copyOf(labels);
    }

    static StoredProfile of(JsonNode object, ProfileContents contents) {
        ObjectHead head = ObjectHead.of(object);
        ProfileContent content = null;
        List<Finding> mistakes = List.of();
        String version = object.path("spec").path("version").asText();
        try {
            OperatingSystemProfile profile =
                    ProfileReader.stored().read(Document.of("OperatingSystemProfile " + head.name(), object));
            content = contents.of(profile.spec());
        } catch (TenantMistake e) {
            mistakes = e.findings();
        }
        return new StoredProfile(
                head.namespace(),
                head.name(),
                head.uid(),
                head.resourceVersion(),
                head.generation(),
                head.annotations().getOrDefault(INSTALLED_HASH, ""),
                version,
                content,
                mistakes,
                WireJson.as(OperatingSystemProfileStatus.class, object.path("status")),
                head.labels(),
                head.creationTimestamp());
    }

    /** Whether the hub installed it; tenants that want no default profiles do not see it. */
    public boolean isDefault() {
        return !installedHash.isEmpty();
    }

    /** Hash of what it says; empty when it cannot be read. */
    public String contentHash() {
        return content == null ? "" : content.hash();
    }

    /** Whether somebody who uses it gets something else than with the other. */
    boolean saysTheSame(StoredProfile other) {
        return contentHash().equals(other.contentHash())
                && !contentHash().isEmpty()
                && isDefault() == other.isDefault();
    }
}
