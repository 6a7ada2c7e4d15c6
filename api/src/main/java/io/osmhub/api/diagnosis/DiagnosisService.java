package io.osmhub.api.diagnosis;

import io.osmhub.api.inventory.InventoryRowMapper;
import io.osmhub.api.schema.ConfigurationSource;
import io.osmhub.api.schema.DocumentSize;
import io.osmhub.api.schema.MachineDeploymentDetail;
import io.osmhub.api.schema.MachineDeploymentEntry;
import io.osmhub.api.schema.MachineDeploymentEntry.MachineDeploymentIdentity;
import io.osmhub.api.schema.MachineDeploymentEntry.NodeEffect;
import io.osmhub.api.schema.MachineDeploymentEntry.PublishedProfile;
import io.osmhub.api.schema.MachineDeploymentEntry.Rollout;
import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.PublishedSecret;
import io.osmhub.api.schema.WhyReport;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.Role;
import io.osmhub.core.osc.OperatingSystemConfigStatus.SecretState;
import io.osmhub.core.plan.Previewer.Preview;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.Category;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.tenancy.HubQueries;
import io.osmhub.tenancy.LiveTenant.PreviewProposal;
import io.osmhub.tenancy.LiveTenant.PreviewResult;
import io.osmhub.workersync.reconcile.MachineDeploymentViews.MachineDeploymentView;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.WatchedMachineDeployment.Replicas;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Explains from the hub's caches why new nodes are or are not joining, and describes single MachineDeployments. Does not authorize:
 * callers must have checked {@code get} on the tenant's OperatingSystemConfigs. Thread-safe.
 */
public final class DiagnosisService {
    private static final int MOST_PROBLEMS = 50;

    private final HubQueries hubQueries;
    private final UnaryOperator<String> serving;
    private final MachineReader machines;
    private final DiagnosisCollector collector;

    /** @param serving name of the replica that serves the tenant of a namespace, for reports without its live state */
    public DiagnosisService(HubQueries hubQueries, UnaryOperator<String> serving, InstantSource clock) {
        this.hubQueries = hubQueries;
        this.serving = serving;
        this.machines = new MachineReader(hubQueries);
        this.collector = new DiagnosisCollector(hubQueries, machines, serving, clock);
    }

    /**
     * The chain from the profile to the machines. Empty if the MachineDeployment does not exist.
     *
     * @param readMachines whether to read the machines of the worker cluster; blocks if true
     */
    public Optional<WhyReport> explain(
            String tenant, String namespace, String machineDeployment, boolean readMachines) {
        return collector
                .collect(tenant, new ObjectKey(namespace, machineDeployment), "", readMachines)
                .map(WhyReportBuilder::build);
    }

    /** The same for one machine of the worker cluster; blocks. Empty if the machine is missing or unreadable. */
    public Optional<WhyReport> explainMachine(String tenant, String namespace, String machine) {
        return machines.findOwner(tenant, namespace, machine)
                .flatMap(owner -> collector.collect(tenant, owner, machine, true))
                .map(WhyReportBuilder::build);
    }

    /** The profile whose template is the cause; null if the cause is another one. */
    static @Nullable ObjectKey brokenProfile(String tenant, WhyReport report) {
        ProblemEntry cause = report.cause();
        if (cause == null || cause.classification().category() != Category.PROFILE) {
            return null;
        }
        ObjectRef object = cause.subject().object();
        return object == null || !object.kind().equals("OperatingSystemProfile")
                ? null
                : new ObjectKey(Objects.requireNonNullElse(object.namespace(), tenant), object.name());
    }

    /** The same with the lines around the error of a profile, which the caller must be allowed to read. */
    WhyReport withExcerpt(WhyReport report, ObjectKey profile) {
        ProblemEntry cause = report.cause();
        return cause == null
                ? report
                : hubQueries
                        .profile(profile.namespace(), profile.name())
                        .map(found -> ProfileFiles.excerpt(found, cause))
                        .filter(excerpt -> !excerpt.isEmpty())
                        .map(excerpt -> report.withCause(cause.withExcerpt(excerpt)))
                        .orElse(report);
    }

    /** Details of one MachineDeployment. Renders it, so it blocks. Empty if it does not exist. */
    public Optional<MachineDeploymentDetail> describe(String tenant, String namespace, String machineDeployment) {
        ObjectKey key = new ObjectKey(namespace, machineDeployment);
        return collector.collect(tenant, key, "", false).map(situation -> detail(tenant, key, situation));
    }

    private MachineDeploymentDetail detail(String tenant, ObjectKey key, DiagnosisSnapshot situation) {
        MachineDeploymentView seen = hubQueries
                .live(tenant)
                .flatMap(live -> live.machineDeployment(key))
                .orElse(null);
        PreviewResult attempt = seen == null ? null : wanted(tenant, key).orElse(null);
        Preview preview = attempt == null ? null : attempt.preview();
        StoredConfig config =
                hubQueries.config(tenant, situation.config().name()).orElse(null);
        OperatingSystemConfigStatus status = config == null ? null : config.status();
        DiagnosisOutcome standing = DiagnosisOutcome.of(situation);
        return new MachineDeploymentDetail(
                row(situation, standing, seen),
                WhyReportBuilder.problems(situation, null, MOST_PROBLEMS),
                wanted(preview, status),
                InventoryRowMapper.source(status == null ? null : status.source()),
                preview == null ? DiagnosisMapper.sizes(status) : DiagnosisMapper.sizes(preview, status),
                DiagnosisMapper.history(status),
                objects(status, seen, situation));
    }

    /** The current rendering; empty unless this replica serves the tenant. */
    Optional<PreviewResult> wanted(String tenant, ObjectKey key) {
        return hubQueries.live(tenant).flatMap(live -> live.previewRendering(key, PreviewProposal.NONE));
    }

    private static @Nullable ConfigurationSource wanted(
            @Nullable Preview preview, @Nullable OperatingSystemConfigStatus status) {
        if (preview != null) {
            return DiagnosisMapper.source(preview.rendered(), null);
        }
        return InventoryRowMapper.source(status == null ? null : status.wanted());
    }

    /** Sizes for a configuration's page. */
    List<DocumentSize> sizes(String tenant, ObjectKey key, @Nullable OperatingSystemConfigStatus status) {
        Preview preview = wanted(tenant, key).map(PreviewResult::preview).orElse(null);
        return preview == null ? DiagnosisMapper.sizes(status) : DiagnosisMapper.sizes(preview, status);
    }

    /** The replica that serves a tenant, if its live state is missing here; otherwise null. */
    @Nullable String unansweredBy(String tenant) {
        return hubQueries.live(tenant).isPresent() ? null : serving.apply(tenant);
    }

    /** Expiry of a MachineDeployment's token; empty if unknown here. */
    Optional<Instant> findTokenExpiry(String tenant, ObjectKey key) {
        return collector
                .collect(tenant, key, "", false)
                .flatMap(situation -> Optional.ofNullable(situation.token().end()));
    }

    private static MachineDeploymentEntry row(
            DiagnosisSnapshot situation, DiagnosisOutcome standing, @Nullable MachineDeploymentView seen) {
        DiagnosisSnapshot.Config config = situation.config();
        MachineDeploymentView.SecretView bootstrap =
                seen == null ? null : seen.secrets().get(SecretRole.BOOTSTRAP);
        Replicas replicas = seen == null ? null : seen.replicas();
        return new MachineDeploymentEntry(
                new MachineDeploymentIdentity(
                        situation.subject().tenant(),
                        situation.subject().workerCluster(),
                        situation.subject().namespace(),
                        situation.subject().name(),
                        seen == null ? null : NullableCollections.nullIfEmpty(seen.uid()),
                        seen == null ? null : seen.createdAt()),
                new PublishedProfile(
                        NullableCollections.nullIfEmpty(situation.profile().name()),
                        NullableCollections.nullIfEmpty(config.publishedVersion()),
                        NullableCollections.nullIfEmpty(situation.profile().operatingSystem()),
                        NullableCollections.nullIfEmpty(situation.profile().provider())),
                new Rollout(
                        seen == null ? null : NullableCollections.nullIfEmpty(seen.kubeletVersion()),
                        config.wantedRevision(),
                        bootstrap == null
                                ? NullableCollections.nullIfEmpty(config.publishedRevision())
                                : NullableCollections.nullIfEmpty(bootstrap.revision()),
                        replicas == null ? null : Integer.valueOf(replicas.desired()),
                        replicas == null ? null : Integer.valueOf(replicas.ready())),
                new NodeEffect(
                        standing.newNodes(),
                        standing.cause() == null ? null : standing.cause().reason(),
                        standing.since(),
                        situation.chain().states(standing.broken())),
                situation.token().end(),
                config.name(),
                situation.unansweredBy());
    }

    /** As in the status, corrected by live state. */
    private static List<PublishedSecret> objects(
            @Nullable OperatingSystemConfigStatus status,
            @Nullable MachineDeploymentView seen,
            DiagnosisSnapshot situation) {
        List<PublishedSecret> told = new ArrayList<>();
        for (PublishedSecret secret : DiagnosisMapper.secrets(status)) {
            told.add(seen == null ? secret : corrected(secret, seen, situation));
        }
        return told;
    }

    private static PublishedSecret corrected(
            PublishedSecret secret, MachineDeploymentView seen, DiagnosisSnapshot situation) {
        if (secret.role() == Role.BOOTSTRAP_TOKEN) {
            Instant end = situation.token().end();
            boolean good = end != null && end.isAfter(situation.now());
            return with(secret, good ? SecretState.CURRENT : SecretState.MISSING, null, null);
        }
        MachineDeploymentView.SecretView placed =
                seen.secrets().get(SecretRole.valueOf(secret.role().name()));
        if (placed == null) {
            return with(secret, SecretState.MISSING, null, null);
        }
        SecretState state = secret.state() == SecretState.MISSING ? SecretState.CURRENT : secret.state();
        return with(secret, state, NullableCollections.nullIfEmpty(placed.revision()), secret.bytes());
    }

    private static PublishedSecret with(
            PublishedSecret secret, SecretState state, @Nullable String revision, @Nullable Long bytes) {
        return new PublishedSecret(
                secret.role(), secret.namespace(), secret.name(), state, revision, bytes, secret.publishedAt());
    }
}
