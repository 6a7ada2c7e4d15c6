package io.osmhub.api.diagnosis;

import io.osmhub.api.schema.DocumentName;
import io.osmhub.api.schema.DocumentSize;
import io.osmhub.api.schema.HistoryEntry;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.PublishedSecret;
import io.osmhub.api.schema.Source;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osp.TemplateLanguage;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.plan.Preview;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.Copies;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What statuses and previews say, as the API says it. */
public final class Shown {
    private Shown() {}

    /** Null for nothing. */
    public static @Nullable Source source(OperatingSystemConfigStatus.@Nullable Source stored) {
        if (stored == null) {
            return null;
        }
        OperatingSystemConfigStatus.ProfileSource profile = stored.profile();
        return new Source(
                stored.machineDeployment() == null
                        ? null
                        : stored.machineDeployment().revision(),
                profile == null || profile.name() == null
                        ? null
                        : profile.namespace() == null ? profile.name() : profile.namespace() + "/" + profile.name(),
                profile == null ? null : profile.version(),
                profile == null ? null : profile.contentHash(),
                language(stored.templateEngine()),
                stored.settingsHash(),
                stored.contentHash(),
                Statuses.time(stored.time()),
                null);
    }

    private static @Nullable TemplateLanguage language(@Nullable String word) {
        return Arrays.stream(TemplateLanguage.values())
                .filter(language -> language.wireName().equals(word))
                .findFirst()
                .orElse(null);
    }

    /** Of what was rendered just now. */
    public static Source source(Decision.Rendered rendered, @Nullable Instant at) {
        String namespace = rendered.profile().namespace();
        String name = rendered.profile().name();
        return new Source(
                rendered.stamps().revision(),
                namespace.isEmpty() ? name : namespace + "/" + name,
                rendered.stamps().profileVersion(),
                rendered.profile().compiled().contentHash(),
                rendered.profile().compiled().spec().templateEngine(),
                rendered.settingsHash(),
                rendered.contentHash(),
                at,
                null);
    }

    /** A problem that a preview found in a MachineDeployment. */
    public static ProblemEntry problem(
            Diagnosis diagnosis, String tenant, String workerCluster, ObjectKey machineDeployment, Instant now) {
        return Entries.of(
                new Situation.Trouble(
                        diagnosis.reason(),
                        "MachineDeployment",
                        machineDeployment.namespace(),
                        machineDeployment.name(),
                        diagnosis.message(),
                        now),
                new Situation.Subject(
                        tenant, workerCluster, machineDeployment.namespace(), machineDeployment.name(), ""));
    }

    public static DocumentName document(Preview.Kind kind) {
        return switch (kind) {
            case BOOTSTRAP -> DocumentName.BOOTSTRAP;
            case PROVISIONING -> DocumentName.PROVISIONING;
            case KUBELET_BOOTSTRAP -> DocumentName.KUBELET_BOOTSTRAP;
            case EDGE_SCRIPT -> DocumentName.EDGE_SCRIPT;
            case OPERATING_SYSTEM_CONFIG -> DocumentName.OPERATING_SYSTEM_CONFIG;
        };
    }

    /** Sizes of the documents of a preview. */
    public static List<DocumentSize> sizes(Preview preview) {
        return preview.documents().stream()
                .map(document -> new DocumentSize(
                        document(document.kind()),
                        document.bytes(),
                        document.limitBytes() == null ? null : Long.valueOf(document.limitBytes()),
                        document.limitOf().isEmpty() ? null : document.limitOf(),
                        document.largest().stream()
                                .map(file -> new DocumentSize.Part(
                                        file.field().isEmpty() ? null : file.field(), file.path(), file.bytes()))
                                .toList()))
                .toList();
    }

    /** Sizes of what is published, for a tenant that is served elsewhere. */
    static List<DocumentSize> sizes(@Nullable OperatingSystemConfigStatus status) {
        return Copies.stream(status == null ? null : status.secrets())
                .filter(secret ->
                        secret.bytes() != null && secret.role() != OperatingSystemConfigStatus.Role.BOOTSTRAP_TOKEN)
                .map(secret -> new DocumentSize(
                        switch (secret.role()) {
                            case BOOTSTRAP, BOOTSTRAP_TOKEN -> DocumentName.BOOTSTRAP;
                            case PROVISIONING -> DocumentName.PROVISIONING;
                            case KUBELET_BOOTSTRAP -> DocumentName.KUBELET_BOOTSTRAP;
                            case EDGE_SCRIPT -> DocumentName.EDGE_SCRIPT;
                        },
                        secret.bytes() == null ? 0 : secret.bytes(),
                        secret.limitBytes() == null ? null : Long.valueOf(secret.limitBytes()),
                        null,
                        null))
                .toList();
    }

    static List<HistoryEntry> history(@Nullable OperatingSystemConfigStatus status) {
        return Copies.stream(status == null ? null : status.history())
                .map(change -> new HistoryEntry(
                        Statuses.timeOr(change.time(), Instant.EPOCH),
                        switch (change.result()) {
                            case PUBLISHED -> HistoryEntry.Result.PUBLISHED;
                            case REFUSED -> HistoryEntry.Result.REFUSED;
                            case RESTORED -> HistoryEntry.Result.RESTORED;
                            case ADOPTED -> HistoryEntry.Result.ADOPTED;
                        },
                        Reason.of(Statuses.text(change.reason())).orElse(null),
                        change.because(),
                        change.fromRevision(),
                        change.toRevision(),
                        change.writes(),
                        change.durationMilliseconds()))
                .toList();
    }

    static List<PublishedSecret> secrets(@Nullable OperatingSystemConfigStatus status) {
        return Copies.stream(status == null ? null : status.secrets())
                .map(secret -> new PublishedSecret(
                        secret.role(),
                        secret.namespace(),
                        secret.name(),
                        secret.state(),
                        secret.revision(),
                        secret.bytes() == null ? null : Long.valueOf(secret.bytes()),
                        Statuses.time(secret.publishedTime())))
                .toList();
    }
}
