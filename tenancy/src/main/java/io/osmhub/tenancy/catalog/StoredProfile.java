package io.osmhub.tenancy.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.document.Document;
import io.osmhub.core.osp.ContentHash;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.OperatingSystemProfileStatus;
import io.osmhub.core.osp.ProfileAnnotations;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.osp.TemplateLanguage;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.Reason;
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
 * @param pruned it is as the hub installed it, but for a field that the CustomResourceDefinition does not keep and that has no annotation
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
        boolean pruned,
        @Nullable OperatingSystemProfileStatus status,
        Map<String, String> labels,
        Instant createdAt) {
    public StoredProfile {
        mistakes = List.copyOf(mistakes);
        labels = Map.copyOf(labels);
    }

    static StoredProfile of(JsonNode object, ProfileContents contents) {
        ObjectHead head = ObjectHead.of(object);
        ProfileContent content = null;
        List<Finding> mistakes = List.of();
        String version = object.path("spec").path("version").asText();
        String installedHash = head.annotations().getOrDefault(ProfileAnnotations.INSTALLED_HASH, "");
        boolean pruned = false;
        try {
            content = contents.of(spec(head, object));
        } catch (TenantMistake e) {
            mistakes = e.findings();
            pruned = reason(mistakes) == Reason.ProfileFieldsPruned && isAsRead(head, object, installedHash);
        }
        return new StoredProfile(
                head.namespace(),
                head.name(),
                head.uid(),
                head.resourceVersion(),
                head.generation(),
                installedHash,
                version,
                content,
                mistakes,
                pruned,
                WireJson.as(OperatingSystemProfileStatus.class, object.path("status")),
                head.labels(),
                head.creationTimestamp());
    }

    private static OperatingSystemProfile.Spec spec(ObjectHead head, JsonNode object) {
        return ProfileReader.stored()
                .read(Document.of("OperatingSystemProfile " + head.name(), object))
                .spec();
    }

    /** Whether it has the hash of what an earlier hub read back when it had installed it: without an engine, so with the usual one. */
    private static boolean isAsRead(ObjectHead head, JsonNode object, String hash) {
        JsonNode copy = object.deepCopy();
        ((ObjectNode) copy.at("/metadata/annotations"))
                .put(ProfileAnnotations.TEMPLATE_ENGINE, TemplateLanguage.GO.wireName());
        try {
            return hash.equals(ContentHash.of(spec(head, copy)));
        } catch (TenantMistake e) {
            // Edited: what the hub installed can be read.
            return false;
        }
    }

    private static Reason reason(List<Finding> mistakes) {
        return Reason.of(mistakes.getFirst().reason()).orElse(Reason.ProfileFileInvalid);
    }

    /** Why nothing can be rendered from it; only where there is no content. */
    public Finding notUsable() {
        Finding first = mistakes.getFirst();
        return new Finding(
                reason(mistakes).word(),
                "OperatingSystemProfile " + namespace + "/" + name,
                first.field(),
                first.what(),
                first.cure());
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
