package io.osmhub.api.diagnosis;

import io.osmhub.api.inventory.InventoryRowMapper;
import io.osmhub.api.inventory.ProblemEntries;
import io.osmhub.api.inventory.ProblemRow.Kind;
import io.osmhub.api.inventory.ProblemRow.ProblemSubject;
import io.osmhub.api.inventory.StatusParser;
import io.osmhub.api.schema.ConfigurationSource;
import io.osmhub.api.schema.DocumentName;
import io.osmhub.api.schema.DocumentSize;
import io.osmhub.api.schema.HistoryEntry;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.PublishedSecret;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Previewer.Preview;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Maps statuses and previews to API records. */
public final class DiagnosisMapper {
    private DiagnosisMapper() {}

    /** From a new rendering. */
    public static ConfigurationSource source(Decision.RenderSummary rendered, @Nullable Instant at) {
        String namespace = rendered.profile().namespace();
        String name = rendered.profile().name();
        return new ConfigurationSource(
                rendered.stamps().revision(),
                namespace.isEmpty() ? name : namespace + "/" + name,
                rendered.stamps().profileVersion(),
                rendered.profile().compiled().contentHash(),
                InventoryRowMapper.extensions(rendered.extensions()),
                rendered.profile().compiled().spec().templateEngine(),
                rendered.settingsHash(),
                rendered.contentHash(),
                at,
                null);
    }

    /** A MachineDeployment's problem found by a preview. */
    public static ProblemEntry problem(
            Problem diagnosis, String tenant, String workerCluster, ObjectKey machineDeployment, Instant now) {
        return ProblemEntries.of(
                new ProblemSubject(
                        tenant,
                        workerCluster,
                        Kind.MACHINE_DEPLOYMENT,
                        machineDeployment.namespace(),
                        machineDeployment.name()),
                diagnosis,
                now);
    }

    public static DocumentName name(Preview.Document document) {
        return document.role() == null
                ? DocumentName.OPERATING_SYSTEM_CONFIG
                : DocumentName.valueOf(document.role().name());
    }

    /** Document sizes of a preview. A published document has the size that it was published with. */
    public static List<DocumentSize> sizes(Preview preview, @Nullable OperatingSystemConfigStatus status) {
        OperatingSystemConfigStatus published = ifPublished(preview, status);
        return preview.documentsToCompare().stream()
                .map(document -> new DocumentSize(
                        name(document),
                        size(document, published),
                        document.uncompressedBytes() == null ? null : Long.valueOf(document.uncompressedBytes()),
                        document.limit() == null
                                ? null
                                : Long.valueOf(document.limit().bytes()),
                        document.limit() == null ? null : document.limit().source(),
                        preview.largestFiles(document).stream()
                                .map(file -> new DocumentSize.Part(
                                        file.field().isEmpty() ? null : file.field(), file.path(), file.bytes()))
                                .toList()))
                .toList();
    }

    /** The status if it is of this content, else null. */
    public static @Nullable OperatingSystemConfigStatus ifPublished(
            Preview preview, @Nullable OperatingSystemConfigStatus status) {
        OperatingSystemConfigStatus.RenderSource source = status == null ? null : status.source();
        return source != null && preview.rendered().contentHash().equals(source.contentHash()) ? status : null;
    }

    /**
     * Size of a document: credentials may be longer than the placeholders that it was measured with.
     *
     * @param published null if the content is not published
     */
    public static long size(Preview.Document document, @Nullable OperatingSystemConfigStatus published) {
        return publishedSize(name(document), published).orElse(document.bytes());
    }

    /** The size with which a document was published last; empty if unknown. */
    public static OptionalInt publishedSize(DocumentName document, @Nullable OperatingSystemConfigStatus status) {
        return sizes(status).stream()
                .filter(size -> size.document() == document)
                .mapToInt(size -> (int) size.bytes())
                .findFirst();
    }

    /** Published sizes, for a tenant of another replica. */
    static List<DocumentSize> sizes(@Nullable OperatingSystemConfigStatus status) {
        return NullableCollections.stream(status == null ? null : status.secrets())
                .filter(secret ->
                        secret.bytes() != null && secret.role() != OperatingSystemConfigStatus.Role.BOOTSTRAP_TOKEN)
                .map(secret -> new DocumentSize(
                        DocumentName.valueOf(secret.role().name()),
                        secret.bytes() == null ? 0 : secret.bytes(),
                        null,
                        secret.limitBytes() == null ? null : Long.valueOf(secret.limitBytes()),
                        null,
                        null))
                .toList();
    }

    static List<HistoryEntry> history(@Nullable OperatingSystemConfigStatus status) {
        return NullableCollections.stream(status == null ? null : status.history())
                .map(change -> new HistoryEntry(
                        Objects.requireNonNullElse(StatusParser.time(change.time()), Instant.EPOCH),
                        HistoryEntry.Result.valueOf(change.result().name()),
                        Optional.ofNullable(change.reason()).flatMap(Reason::of).orElse(null),
                        change.because(),
                        change.fromRevision(),
                        change.toRevision(),
                        change.writes(),
                        change.durationMilliseconds()))
                .toList();
    }

    static List<PublishedSecret> secrets(@Nullable OperatingSystemConfigStatus status) {
        return NullableCollections.stream(status == null ? null : status.secrets())
                .map(secret -> new PublishedSecret(
                        secret.role(),
                        secret.namespace(),
                        secret.name(),
                        secret.state(),
                        secret.revision(),
                        secret.bytes() == null ? null : Long.valueOf(secret.bytes()),
                        StatusParser.time(secret.publishedTime())))
                .toList();
    }
}
