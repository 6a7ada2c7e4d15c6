package io.osmhub.tenancy.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.CompiledExtension;
import io.osmhub.core.template.language.TemplateEngines;
import io.osmhub.tenancy.management.ObjectMetadata;
import io.osmhub.tenancy.management.StoredStatus;
import io.osmhub.tenancy.management.WireJson;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A cached OperatingSystemProfileExtension.
 *
 * @param compiled null if the object does not fit the schema, which another CustomResourceDefinition may allow
 * @param mistakes why it cannot be rendered: of the schema, or of templates
 * @param status last written by the hub; null if none
 */
public record StoredExtension(
        String namespace,
        String name,
        String uid,
        String resourceVersion,
        long generation,
        @Nullable CompiledExtension compiled,
        List<Problem> mistakes,
        ProfileExtension.@Nullable Status status,
        StoredStatus.Place statusPlace) {
    private static final TemplateEngines ENGINES = new TemplateEngines();

    public StoredExtension {
        mistakes = List.copyOf(mistakes);
    }

    /** Reads and compiles an object. One that cannot be read has mistakes. */
    public static StoredExtension of(JsonNode object) {
        try {
            CompiledExtension compiled = CompiledExtension.compile(ProfileExtension.read(object), ENGINES);
            return of(object, compiled, compiled.mistakes(), null);
        } catch (TenantMistake e) {
            return of(object, null, e.findings(), null);
        }
    }

    /** @param earlier its last version that could be read; null if none */
    static StoredExtension of(
            JsonNode object,
            @Nullable CompiledExtension compiled,
            List<Problem> mistakes,
            @Nullable StoredExtension earlier) {
        ObjectMetadata head = ObjectMetadata.of(object);
        StoredStatus status = StoredStatus.of(object);
        ProblemObject itself = ProblemObject.of(ProfileExtension.KIND, head.namespace() + "/" + head.name());
        return new StoredExtension(
                head.namespace(),
                head.name(),
                head.uid(),
                head.resourceVersion(),
                head.generation(),
                compiled,
                mistakes.stream().map(problem -> problem.withObject(itself)).toList(),
                status.place() != StoredStatus.Place.NONE
                        ? WireJson.as(ProfileExtension.Status.class, status.status())
                        : earlier == null ? null : earlier.status(),
                status.place());
    }

    /** The same, which cannot be read now. */
    StoredExtension unreadable(Problem why) {
        return new StoredExtension(
                namespace,
                name,
                uid,
                resourceVersion,
                generation,
                null,
                List.of(why.withObject(
                        new ProblemObject(ProblemObject.Cluster.MANAGEMENT, ProfileExtension.KIND, namespace, name))),
                status,
                statusPlace);
    }

    /** {@code NAMESPACE/NAME}, or the name alone. */
    public String path() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    /** Whether a change does not affect rendering, such as one of the status. */
    public static boolean haveSameContent(@Nullable StoredExtension before, @Nullable StoredExtension after) {
        return before != null
                && after != null
                && before.mistakes.equals(after.mistakes)
                && Objects.equals(before.extension(), after.extension());
    }

    /** Empty if it cannot be read. */
    public Optional<ProfileExtension.Policy> policy() {
        return Optional.ofNullable(extension())
                .map(extension -> extension.spec().policy());
    }

    private @Nullable ProfileExtension extension() {
        return compiled == null ? null : compiled.extension();
    }
}
