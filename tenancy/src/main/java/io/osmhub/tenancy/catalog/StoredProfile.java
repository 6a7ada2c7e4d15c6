package io.osmhub.tenancy.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.OperatingSystemProfileStatus;
import io.osmhub.core.osp.ProfileAnnotations;
import io.osmhub.core.osp.ProfileContentHash;
import io.osmhub.core.osp.ProfileReader;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.template.language.TemplateLanguage;
import io.osmhub.tenancy.catalog.ProfileCache.ProfileContentInterner;
import io.osmhub.tenancy.management.ObjectMetadata;
import io.osmhub.tenancy.management.StoredStatus;
import java.lang.ref.WeakReference;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A cached OperatingSystemProfile.
 *
 * @param installedHash hash of the content that the hub installed; empty if it did not, or if OSM has replaced it
 * @param version {@code spec.version}
 * @param content null if the spec is not a valid profile, which another CustomResourceDefinition may allow
 * @param mistakes why there is no content
 * @param pruned equals the installed profile except for a field that the CustomResourceDefinition drops and that has no
 *     annotation
 * @param missingAnnotations {@link ProfileAnnotations#missing}
 * @param status last written by the hub; null if none
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
        List<Problem> mistakes,
        boolean pruned,
        SortedMap<String, String> missingAnnotations,
        @Nullable OperatingSystemProfileStatus status,
        StoredStatus.Place statusPlace,
        Map<String, String> labels,
        Instant createdAt) {
    public StoredProfile {
        mistakes = List.copyOf(mistakes);
        labels = Map.copyOf(labels);
    }

    static StoredProfile of(JsonNode object, ProfileContentInterner contents) {
        ObjectMetadata head = ObjectMetadata.of(object);
        StoredStatus status = StoredStatus.of(object);
        ProfileContent content = null;
        List<Problem> mistakes = List.of();
        String version = object.path("spec").path("version").asText();
        String installedHash = head.annotations().getOrDefault(ProfileAnnotations.INSTALLED_HASH, "");
        boolean pruned = false;
        try {
            content = contents.of(spec(head, object));
            if (isReplaced(head, object, content.spec())) {
                installedHash = "";
            }
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
                ProfileAnnotations.missing(object),
                status.as(OperatingSystemProfileStatus.class),
                status.place(),
                head.labels(),
                head.creationTimestamp());
    }

    /** This profile, of which only the metadata is known. */
    StoredProfile unreadable(Problem why, @Nullable OperatingSystemProfileStatus lastStatus) {
        return new StoredProfile(
                namespace,
                name,
                uid,
                resourceVersion,
                generation,
                installedHash,
                version,
                null,
                List.of(why),
                false,
                new TreeMap<>(),
                status == null ? lastStatus : status,
                statusPlace,
                labels,
                createdAt);
    }

    private static OperatingSystemProfile.Spec spec(ObjectMetadata head, JsonNode object) {
        return ProfileReader.stored()
                .read(SourceDocument.of(ProblemObject.of("OperatingSystemProfile", head.name()), object))
                .spec();
    }

    /** Whether OSM has replaced the spec of a default profile, which is OSM's since; the annotations stay. */
    private static boolean isReplaced(ObjectMetadata head, JsonNode object, OperatingSystemProfile.Spec read) {
        String engine = head.annotations().get(ProfileAnnotations.TEMPLATE_ENGINE);
        return read.templateEngine() == TemplateLanguage.GO
                && !TemplateLanguage.GO.wireName().equals(engine)
                && !object.path("spec").has("templateEngine");
    }

    /** Whether it has the hash of an earlier hub's installed profile as stored: without an engine, so with the default one. */
    private static boolean isAsRead(ObjectMetadata head, JsonNode object, String hash) {
        JsonNode copy = object.deepCopy();
        ((ObjectNode) copy.at("/metadata/annotations"))
                .put(ProfileAnnotations.TEMPLATE_ENGINE, TemplateLanguage.GO.wireName());
        try {
            return hash.equals(ProfileContentHash.of(spec(head, copy)));
        } catch (TenantMistake e) {
            // Edited: an unedited one can be read.
            return false;
        }
    }

    private static Reason reason(List<Problem> mistakes) {
        return mistakes.getFirst().reason();
    }

    /** Why it cannot be rendered; call only without content. */
    public Problem notUsable() {
        Problem first = mistakes.getFirst();
        return first.withObject(ProblemObject.of("OperatingSystemProfile", namespace + "/" + name));
    }

    /** Whether the hub installed it; hidden from tenants that want no default profiles. */
    public boolean isDefault() {
        return !installedHash.isEmpty();
    }

    /** Empty if it cannot be read. */
    public String contentHash() {
        return content == null ? "" : content.hash();
    }

    /** Whether a change does not affect rendering, such as one of the status. */
    public static boolean haveSameContent(@Nullable StoredProfile before, @Nullable StoredProfile after) {
        return before != null && after != null && before.hasSameContent(after);
    }

    private boolean hasSameContent(StoredProfile other) {
        boolean same = content == null
                ? uid.equals(other.uid) && generation == other.generation && mistakes.equals(other.mistakes)
                : contentHash().equals(other.contentHash());
        return same && (content == null) == (other.content == null) && isDefault() == other.isDefault();
    }

    /**
     * Content of a profile, without its name: shared by all profiles with equal content. Holds the spec, from which it can be
     * compiled again; users hold the compiled form.
     */
    public static final class ProfileContent {
        private final String hash;
        private final OperatingSystemProfile.Spec spec;
        private volatile @Nullable WeakReference<CompiledProfile> compiled;

        ProfileContent(String hash, OperatingSystemProfile.Spec spec) {
            this.hash = hash;
            this.spec = spec;
        }

        /** SHA-256 in lower-case hex. */
        public String hash() {
            return hash;
        }

        public OperatingSystemProfile.Spec spec() {
            return spec;
        }

        /** The compiled profile, from the shared cache unless still referenced. */
        public CompiledProfile compiled(CompiledProfileCache profiles) {
            WeakReference<CompiledProfile> held = compiled;
            CompiledProfile known = held == null ? null : held.get();
            if (known != null) {
                return known;
            }
            CompiledProfile made = profiles.getOrCompile(spec);
            compiled = new WeakReference<>(made);
            return made;
        }
    }
}
