package io.osmhub.tenancy.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.osc.OperatingSystemConfigStatus.ExtensionSource;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.CompiledExtension;
import io.osmhub.core.template.language.TemplateEngines;
import io.osmhub.tenancy.management.ObjectMetadata;
import io.osmhub.tenancy.management.StoredStatus;
import io.osmhub.workersync.watch.ObjectKey;
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
        long generation,
        @Nullable CompiledExtension compiled,
        List<Problem> mistakes,
        ProfileExtension.@Nullable Status status,
        StoredStatus.Place statusPlace) {
    private static final TemplateEngines ENGINES = new TemplateEngines();

    public StoredExtension {
        ProblemObject itself =
                new ProblemObject(ProblemObject.Cluster.MANAGEMENT, ProfileExtension.KIND, namespace, name);
        mistakes = mistakes.stream().map(problem -> problem.withObject(itself)).toList();
    }

    /** Reads and compiles an object. One that cannot be read has mistakes. */
    public static StoredExtension of(JsonNode object) {
        CompiledExtension compiled = null;
        List<Problem> mistakes;
        try {
            compiled = CompiledExtension.compile(ProfileExtension.read(object), ENGINES);
            mistakes = compiled.mistakes();
        } catch (TenantMistake e) {
            mistakes = e.findings();
        }
        ObjectMetadata head = ObjectMetadata.of(object);
        StoredStatus status = StoredStatus.of(object);
        return new StoredExtension(
                head.namespace(),
                head.name(),
                head.uid(),
                head.generation(),
                compiled,
                mistakes,
                status.as(ProfileExtension.Status.class),
                status.place());
    }

    /** The same, which cannot be read now. */
    StoredExtension unreadable(Problem why, ProfileExtension.@Nullable Status lastStatus) {
        return new StoredExtension(
                namespace,
                name,
                uid,
                generation,
                null,
                List.of(why),
                status == null ? lastStatus : status,
                statusPlace);
    }

    /** The key of an extension that a configuration was rendered with. */
    public static ObjectKey keyOf(ExtensionSource source) {
        return new ObjectKey(Objects.requireNonNullElse(source.namespace(), ""), source.name());
    }

    /** {@code NAMESPACE/NAME}, or the name alone. */
    public String path() {
        return new ObjectKey(namespace, name).toString();
    }

    /** Whether a change does not affect rendering, such as one of the status. */
    public static boolean haveSameContent(@Nullable StoredExtension before, @Nullable StoredExtension after) {
        return before != null
                && after != null
                && before.mistakes.equals(after.mistakes)
                && Objects.equals(before.content(), after.content());
    }

    /** Empty if it cannot be read. */
    public Optional<ProfileExtension.Policy> policy() {
        return Optional.ofNullable(compiled).map(CompiledExtension::policy);
    }

    private @Nullable ProfileExtension content() {
        return compiled == null ? null : compiled.extension();
    }
}
