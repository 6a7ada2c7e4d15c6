package io.osmhub.api.inventory;

import io.osmhub.api.access.VisibleTenants;
import io.osmhub.api.inventory.LiveTenantValues.LiveMachineDeployment;
import io.osmhub.api.peer.PeerReplicas;
import io.osmhub.api.registration.WorkerClusterMapper;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.api.schema.ConfigurationSource;
import io.osmhub.api.schema.Connection;
import io.osmhub.api.schema.MachineDeploymentEntry;
import io.osmhub.api.schema.MachineDeploymentEntry.MachineDeploymentIdentity;
import io.osmhub.api.schema.MachineDeploymentEntry.NodeEffect;
import io.osmhub.api.schema.MachineDeploymentEntry.PublishedProfile;
import io.osmhub.api.schema.MachineDeploymentEntry.Rollout;
import io.osmhub.api.schema.Metadata;
import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.Osc;
import io.osmhub.api.schema.Osp;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.PublishedSecret;
import io.osmhub.core.osc.OperatingSystemConfigStatus.Role;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.problem.ProblemObject.Cluster;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.template.language.TemplateLanguage;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.watch.ObjectKey;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Maps rows to API records, with live values. */
public final class InventoryRowMapper {
    private final LocalReplica replica;
    private final LiveTenantCache live;
    private final ProfileUsageIndex usageIndex;

    InventoryRowMapper(LocalReplica replica, LiveTenantCache live, ProfileUsageIndex usageIndex) {
        this.replica = replica;
        this.live = live;
        this.usageIndex = usageIndex;
    }

    // --- worker clusters

    /** {@code states} are its recent ones; null in lists. */
    WorkerClusterEntry workerCluster(TenantRow row, @Nullable List<Connection.Interval> states) {
        WorkerClusterRecord record = row.record();
        LiveTenantValues values = live.tenant(row.namespace(), row.name());
        WorkerClusterStatus status = record.status();
        String server = values == null ? replica.servedBy(row.namespace()) : values.replica();
        return WorkerClusterMapper.of(
                record,
                server.isEmpty() && states == null
                        ? null
                        : new Connection(
                                NullableCollections.nullIfEmpty(server),
                                host(status == null ? null : status.endpoint()),
                                states),
                live.firstTokenEnd(row),
                values == null ? PeerReplicas.nameServing(replica, row.namespace()) : null);
    }

    private static @Nullable String host(@Nullable String endpoint) {
        try {
            return endpoint == null ? null : URI.create(endpoint).getHost();
        } catch (IllegalArgumentException e) {
            // A status of another version may contain any value.
            return null;
        }
    }

    // --- profiles

    Osp profile(ProfileRow row, VisibleTenants users) {
        StoredProfile profile = row.profile();
        OperatingSystemProfile.Spec spec =
                profile.content() == null ? null : profile.content().spec();
        return new Osp(
                new Metadata(
                        profile.namespace(),
                        profile.name(),
                        profile.uid(),
                        profile.generation(),
                        NullableCollections.nullIfEmpty(profile.labels()),
                        profile.createdAt()),
                row.osName(),
                spec == null ? null : NullableCollections.nullIfEmpty(spec.osVersion()),
                profile.version(),
                spec == null ? null : spec.templateEngine(),
                spec == null ? null : utility(spec),
                spec == null ? null : spec.supportedCloudProviders(),
                spec == null ? null : spec.supportedKubernetesVersions(),
                spec == null ? null : NullableCollections.nullIfEmpty(spec.supportedNodeFetch()),
                profile.namespace().equals(replica.sharedProfileNamespace()),
                profile.isDefault(),
                profile.isDefault() ? !profile.installedHash().equals(profile.contentHash()) : null,
                NullableCollections.nullIfEmpty(profile.contentHash()),
                valid(row),
                usageIndex.countVisible(new ObjectKey(profile.namespace(), profile.name()), users));
    }

    private static Osp.@Nullable ProvisioningUtility utility(OperatingSystemProfile.Spec spec) {
        return ApiJson.constant(Osp.ProvisioningUtility.class, spec.provisioningUtility())
                .orElse(null);
    }

    private static Condition valid(ProfileRow row) {
        Condition known = row.validCondition();
        StoredProfile profile = row.profile();
        return known != null
                ? known
                : new Condition(
                        "Valid",
                        Condition.Status.UNKNOWN,
                        profile.generation(),
                        profile.createdAt().toString(),
                        Reason.VerificationPending.wireName(),
                        profile.namespace() + ": OperatingSystemProfile " + row.key() + ": not verified yet");
    }

    // --- configurations

    Osc configuration(ConfigRow row, @Nullable String workerCluster) {
        OperatingSystemConfigStatus status = row.status();
        Integer bytes = row.bootstrapBytes();
        return new Osc(
                new Metadata(
                        row.namespace(),
                        row.name(),
                        row.listed().config().uid(),
                        row.listed().config().generation(),
                        NullableCollections.nullIfEmpty(row.listed().labels()),
                        row.listed().createdAt()),
                workerCluster,
                deployment(row),
                NullableCollections.nullIfEmpty(row.osName()),
                NullableCollections.nullIfEmpty(row.cloudProvider()),
                row.newNodes(),
                status == null ? null : status.conditions(),
                source(row.source()),
                bytes == null ? null : bytes.longValue());
    }

    static ObjectRef deployment(ConfigRow row) {
        return new ObjectRef(
                Cluster.WORKER,
                "MachineDeployment",
                NullableCollections.nullIfEmpty(row.deploymentNamespace()),
                row.deploymentName());
    }

    /** As stored; null if nothing was rendered. */
    public static @Nullable ConfigurationSource source(OperatingSystemConfigStatus.@Nullable RenderSource stored) {
        if (stored == null) {
            return null;
        }
        OperatingSystemConfigStatus.MachineDeploymentSource deployment = stored.machineDeployment();
        OperatingSystemConfigStatus.ProfileSource profile = stored.profile();
        return new ConfigurationSource(
                deployment == null ? null : deployment.revision(),
                profile == null || profile.name() == null
                        ? null
                        : ConfigRow.profileKey(profile.namespace(), profile.name()),
                profile == null ? null : profile.version(),
                profile == null ? null : profile.contentHash(),
                extensions(stored.extensions()),
                language(stored.templateEngine()).orElse(null),
                stored.settingsHash(),
                stored.contentHash(),
                StatusParser.time(stored.time()),
                null);
    }

    /** As namespace/name; null if there are none. */
    public static @Nullable List<String> extensions(
            @Nullable List<OperatingSystemConfigStatus.ExtensionSource> applied) {
        return NullableCollections.nullIfEmpty(NullableCollections.stream(applied)
                .map(OperatingSystemConfigStatus.ExtensionSource::path)
                .toList());
    }

    private static Optional<TemplateLanguage> language(@Nullable String word) {
        return word == null ? Optional.empty() : ApiJson.constant(TemplateLanguage.class, word);
    }

    // --- MachineDeployments

    MachineDeploymentEntry deployment(MachineDeploymentRow row) {
        LiveMachineDeployment values = live.deployment(row);
        boolean unanswered = live.tenant(row.place().namespace(), row.place().workerCluster()) == null;
        ConfigRow config = row.config();
        OperatingSystemConfigStatus.RenderSource source = config == null ? null : config.source();
        OperatingSystemConfigStatus.RenderSource wanted =
                config == null || config.wanted() == null ? source : config.wanted();
        PublishedSecret bootstrap = config == null ? null : config.secret(Role.BOOTSTRAP);
        String published = config == null ? "" : config.profile();
        return new MachineDeploymentEntry(
                new MachineDeploymentIdentity(
                        row.namespace(),
                        row.place().workerCluster(),
                        row.machineNamespace(),
                        row.name(),
                        values != null && values.uid() != null
                                ? NullableCollections.nullIfEmpty(values.uid())
                                : uid(source),
                        values != null && values.createdAt() != null ? values.createdAt() : row.createdAt()),
                new PublishedProfile(
                        NullableCollections.nullIfEmpty(published.isEmpty() ? row.profile() : published),
                        source == null || source.profile() == null
                                ? null
                                : source.profile().version(),
                        config == null ? null : NullableCollections.nullIfEmpty(config.osName()),
                        NullableCollections.nullIfEmpty(row.cloudProvider())),
                new Rollout(
                        values == null || values.kubeletVersion() == null
                                ? null
                                : NullableCollections.nullIfEmpty(values.kubeletVersion()),
                        values == null || values.revision() == null ? revision(wanted) : values.revision(),
                        bootstrap == null ? null : bootstrap.revision(),
                        values == null ? null : values.desired(),
                        values == null ? null : values.ready()),
                new NodeEffect(row.newNodes(), row.reason(), row.since(), row.links(values)),
                live.tokenEnd(row),
                config == null ? null : config.name(),
                unanswered ? PeerReplicas.nameServing(replica, row.namespace()) : null);
    }

    private static @Nullable String uid(OperatingSystemConfigStatus.@Nullable RenderSource source) {
        return source == null || source.machineDeployment() == null
                ? null
                : source.machineDeployment().uid();
    }

    private static @Nullable String revision(OperatingSystemConfigStatus.@Nullable RenderSource source) {
        return source == null || source.machineDeployment() == null
                ? null
                : source.machineDeployment().revision();
    }
}
