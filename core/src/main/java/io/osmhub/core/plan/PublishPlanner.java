package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.SourceAnnotations;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osc.OperatingSystemConfigStatus.ExtensionSource;
import io.osmhub.core.osc.OperatingSystemConfigStatus.ProfileSource;
import io.osmhub.core.osc.OperatingSystemConfigStatus.RenderSource;
import io.osmhub.core.plan.ChangeReason.Cause;
import io.osmhub.core.plan.Decider.WriteStage;
import io.osmhub.core.plan.DesiredObject.DesiredConfig;
import io.osmhub.core.plan.DesiredObject.DesiredSecret;
import io.osmhub.core.plan.Facts.FoundObjects;
import io.osmhub.core.plan.OwnershipAnnotations.Ownership;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.Command;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.LinkName;
import io.osmhub.core.resource.NullableCollections;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Compares desired and found objects by content and lists the changes between them. */
final class PublishPlanner {
    static final String OWN_MANAGER = "osm-hub";
    private static final String PEERS_MANAGER = "osm-controller";

    private final Facts facts;
    private final OwnershipAnnotations ownership;
    private final RenderedObjects rendered;
    private final BootstrapTokenPlanner tokens;
    private final FetchTokenPlanner fetch;
    private final FoundObjects found;
    private final boolean first;
    private final boolean sameConfig;

    PublishPlanner(
            Facts facts,
            OwnershipAnnotations ownership,
            RenderedObjects rendered,
            BootstrapTokenPlanner tokens,
            FetchTokenPlanner fetch) {
        this.facts = facts;
        this.ownership = ownership;
        this.rendered = rendered;
        this.tokens = tokens;
        this.fetch = fetch;
        this.found = facts.found();
        StoredConfig config = found.config();
        this.first = config == null && found.secret(SecretRole.BOOTSTRAP) == null;
        this.sameConfig = config != null && rendered.matches(config);
    }

    /** Whether the found OperatingSystemConfig is what was rendered. */
    boolean keepsConfig() {
        return sameConfig;
    }

    /** Objects under desired names that another writer owns. */
    List<Problem> findForeignObjects() {
        List<Problem> strangers = new ArrayList<>();
        found.secrets().forEach((role, secret) -> {
            if (isWanted(role) && Ownership.of(ownership, secret, role) == Ownership.FOREIGN) {
                strangers.add(foreignObject(facts, ownership, secret, role.link()));
            }
        });
        StoredConfig config = found.config();
        if (config != null && Ownership.of(ownership, config) == Ownership.FOREIGN) {
            strangers.add(foreignObject(facts, ownership, config, LinkName.RENDERED_CONFIG));
        }
        fetch.foreignGrants()
                .forEach(grant -> strangers.add(foreignObject(facts, ownership, grant, LinkName.BOOTSTRAP_TOKEN)));
        return strangers;
    }

    /**
     * Secrets with content of OSM that would get other content, unless the hub has published the MachineDeployment before. OSM's
     * secrets with the same content are not marked when they are adopted, so the hub's OperatingSystemConfig tells that.
     */
    List<StoredSecret> findOtherOsmContent() {
        StoredConfig config = found.config();
        boolean published = config != null
                && (config.annotations().containsKey(OwnershipAnnotations.OWNER)
                        || config.status() != null && config.status().source() != null);
        List<StoredSecret> others = new ArrayList<>();
        found.secrets().forEach((role, secret) -> {
            if (!published && Ownership.of(ownership, secret, role) == Ownership.OSM && !holds(secret, role)) {
                others.add(secret);
            }
        });
        return others;
    }

    /** The edge script is for one provider; the others are for all, unless they are too large. */
    private boolean isWanted(SecretRole role) {
        return role != SecretRole.EDGE_SCRIPT || rendered.secrets().containsKey(role);
    }

    /** @param link the link of the chain that stays broken */
    static Problem foreignObject(Facts facts, OwnershipAnnotations ownership, StoredObject found, LinkName link) {
        Facts.Tenant tenant = facts.tenant();
        ProblemObject object = found.describe();
        String hub = found.annotations().get(OwnershipAnnotations.HUB_ID);
        Problem problem = Reason.ObjectNotOwned.with(
                        "tenant", tenant.namespace(),
                        "wc", tenant.workerCluster(),
                        "kind", object.kind(),
                        "name", object.name(),
                        "namespace", object.namespace(),
                        "manager", Ownership.describeWriter(ownership, found))
                .atLink(link);
        if (hub != null && ownership.hub().isOther(hub)) {
            return problem.withFix(
                    "if that hub is stopped, take over all that it wrote",
                    Command.management(
                            "hub cluster takeover {} -n {} --from {}",
                            tenant.workerCluster(),
                            tenant.namespace(),
                            hub));
        }
        String template = "kubectl -n {} annotate {} {} " + OwnershipAnnotations.OWNER + "={}";
        String[] values = {object.namespace(), object.kind(), object.name(), ownership.owner()};
        return problem.withFix(
                "delete it, or let the hub adopt it",
                object.cluster() == ProblemObject.Cluster.MANAGEMENT
                        ? Command.management(template, values)
                        : Command.worker(template, values));
    }

    List<PlannedChange> changes() {
        List<PlannedChange> changes = new ArrayList<>();
        MachineDeployment machineDeployment = facts.machineDeployment();
        if (!machineDeployment.hasFinalizer()) {
            changes.add(PlannedChange.SetFinalizer.add(machineDeployment, first));
        }
        changes.addAll(tokens.changes(first, otherTokensNeeded()));
        for (SecretRole role : SecretRole.values()) {
            PlannedChange change = secret(role);
            if (change != null) {
                changes.add(change);
            }
        }
        PlannedChange config = config();
        if (config != null) {
            changes.add(config);
        }
        changes.addAll(fetch.changes(first));
        return changes;
    }

    /** While a published object has to change, it may embed another token than the one in use. */
    boolean otherTokensNeeded() {
        for (SecretRole role : rendered.secrets().keySet()) {
            StoredSecret secret = found.secret(role);
            if (secret != null && !holds(secret, role)) {
                return true;
            }
        }
        return false;
    }

    private boolean holds(StoredSecret secret, SecretRole role) {
        return secret.digests().equals(rendered.digests().get(role));
    }

    private @Nullable PlannedChange secret(SecretRole role) {
        DesiredSecret object = rendered.secrets().get(role);
        StoredSecret secret = found.secret(role);
        if (object == null) {
            return secret == null ? null : notWanted(secret, role);
        }
        int stage = WriteStage.of(role);
        if (secret == null) {
            boolean noneStarts = found.secret(SecretRole.BOOTSTRAP) == null && role != SecretRole.BOOTSTRAP;
            return new PlannedChange.Create(noneStarts ? WriteStage.TOKEN : stage, whyCreated(), object);
        }
        boolean sameType = secret.type().equals(object.type());
        if (!sameType || !holds(secret, role)) {
            ChangeReason why = whyChanged(secret.lastWriter());
            return sameType && !secret.immutable()
                    ? new PlannedChange.UpdateSecret(stage, why, secret, object)
                    : new PlannedChange.Replace(stage, why, secret, object);
        }
        return stamp(role, secret, object);
    }

    private @Nullable PlannedChange notWanted(StoredSecret secret, SecretRole role) {
        return Ownership.of(ownership, secret, role) == Ownership.FOREIGN
                ? null
                : new PlannedChange.Delete(
                        WriteStage.OBSOLETE,
                        Cause.REMOVAL.because("the cloud provider is "
                                + rendered.config().spec().cloudProvider() + " now"),
                        secret);
    }

    /**
     * For an object with the right content. machine-controller reads the revision of the bootstrap secret, and people read the
     * profile's version; no other annotation is worth a write.
     */
    private @Nullable PlannedChange stamp(SecretRole role, StoredSecret secret, DesiredSecret object) {
        String revision = rendered.rendered().stamps().revision();
        boolean stale = role == SecretRole.BOOTSTRAP
                && !revision.equals(secret.annotations().get(SourceAnnotations.REVISION));
        boolean otherVersion = object.annotations().containsKey(SourceAnnotations.PROFILE_VERSION)
                && hasOtherVersion(secret.annotations());
        boolean predecessors = Ownership.of(ownership, secret, role) == Ownership.PREVIOUS;
        if (!stale && !otherVersion && !predecessors) {
            return null;
        }
        SortedMap<String, String> annotations = new TreeMap<>(ownership.workerAnnotations());
        if (otherVersion) {
            annotations.putAll(rendered.rendered().stamps().annotations());
        } else if (stale) {
            annotations.put(SourceAnnotations.REVISION, revision);
        }
        ChangeReason why = predecessors
                ? Cause.CONTENT.because("it belonged to an earlier MachineDeployment")
                : Cause.REVISION.because(
                        otherVersion ? explainVersion(secret.annotations()) : explainRevision(secret.annotations()));
        return new PlannedChange.Annotate(WriteStage.of(role), why, role, secret, annotations);
    }

    private @Nullable PlannedChange config() {
        DesiredConfig object = new DesiredConfig(rendered.config(), ownership.configAnnotations());
        StoredConfig config = found.config();
        if (config == null) {
            return new PlannedChange.Create(WriteStage.CONFIG, whyCreated(), object);
        }
        if (sameConfig && Ownership.of(ownership, config) != Ownership.PREVIOUS) {
            return hasOtherVersion(config.annotations())
                    ? new PlannedChange.Annotate(
                            WriteStage.CONFIG,
                            Cause.REVISION.because(explainVersion(config.annotations())),
                            null,
                            config,
                            rendered.rendered().stamps().annotations())
                    : null;
        }
        String hash = config.source().contentHash();
        boolean sameSources = hash == null || hash.equals(rendered.rendered().contentHash());
        ChangeReason why = isForeign(config.lastWriter()) && sameSources
                ? Cause.DRIFT.because(config.lastWriter() + " changed it")
                : Cause.CONTENT.because(because());
        return new PlannedChange.Replace(WriteStage.CONFIG, why, config, object);
    }

    private boolean hasOtherVersion(Map<String, String> annotations) {
        return !rendered.rendered()
                .stamps()
                .profileVersion()
                .equals(annotations.get(SourceAnnotations.PROFILE_VERSION));
    }

    private ChangeReason whyCreated() {
        if (first) {
            return ChangeReason.FIRST_PUBLICATION;
        }
        boolean knownSame = sameConfig || found.config() == null;
        return knownSame && !tokens.isNew() && fetch.changeExplanation() == null
                ? Cause.DRIFT.because("it was missing")
                : Cause.CONTENT.because(because());
    }

    private ChangeReason whyChanged(@Nullable String lastWriter) {
        if (sameConfig && !tokens.isNew() && fetch.isRenewal()) {
            return ChangeReason.NEXT_FETCH_TOKEN;
        }
        return isForeign(lastWriter) && sameConfig && !tokens.isNew() && fetch.changeExplanation() == null
                ? Cause.DRIFT.because(lastWriter + " changed it")
                : Cause.CONTENT.because(because());
    }

    private static boolean isForeign(@Nullable String lastWriter) {
        return lastWriter != null && !lastWriter.equals(OWN_MANAGER) && !lastWriter.equals(PEERS_MANAGER);
    }

    private String because() {
        if (tokens.isNew()) {
            return "there is a new bootstrap token";
        }
        String because = fetch.changeExplanation();
        return sameConfig && because != null ? because : explainContent();
    }

    /** The first difference, as far as the stored object records its sources. */
    private String explainContent() {
        // It holds no credentials.
        String otherwise = sameConfig ? "a credential in it changed" : "the rendered content changed";
        StoredConfig config = found.config();
        if (config == null) {
            return otherwise;
        }
        Decision.RenderSummary now = rendered.rendered();
        Map<String, String> stamps = config.annotations();
        RenderSource source = config.source();
        ProfileSource was = source.profile();
        ProblemObject profile = now.profile().describe();
        if (was != null && differs(was.name(), now.profile().name())) {
            return "the MachineDeployment names " + profile + " (was " + was.name() + ")";
        }
        if (differs(stamps.get(SourceAnnotations.PROFILE_VERSION), now.stamps().profileVersion())) {
            return explainVersion(stamps);
        }
        if (was != null && differs(was.contentHash(), now.profile().compiled().contentHash())) {
            return profile + " was changed, its version " + now.stamps().profileVersion() + " was not";
        }
        if (differs(source.settingsHash(), now.settingsHash())) {
            return "settings of WorkerCluster " + facts.tenant().workerCluster() + " changed";
        }
        if (differs(stamps.get(SourceAnnotations.REVISION), now.stamps().revision())) {
            return explainRevision(stamps);
        }
        return differs(
                        stamps.get(SourceAnnotations.ANNOTATIONS_HASH),
                        now.stamps().annotationsHash())
                ? "annotations of the MachineDeployment changed"
                : otherwise;
    }

    /** Null if the same extensions apply with the same content. */
    private static @Nullable String explainExtensions(RenderSource source, Decision.RenderSummary now) {
        Map<String, String> before = hashes(NullableCollections.stream(source.extensions()));
        Map<String, String> after = hashes(now.extensions().stream());
        return Stream.concat(before.keySet().stream(), after.keySet().stream())
                .filter(path -> !Objects.equals(before.get(path), after.get(path)))
                .findFirst()
                .map(path -> "OperatingSystemProfileExtension " + path
                        + (!after.containsKey(path)
                                ? " no longer applies"
                                : before.containsKey(path) ? " was changed" : " applies"))
                .orElse(null);
    }

    private static Map<String, String> hashes(Stream<ExtensionSource> extensions) {
        return extensions.collect(Collectors.toMap(
                ExtensionSource::path, ExtensionSource::contentHash, (one, other) -> one, TreeMap::new));
    }

    /** @param before null when unknown */
    private static boolean differs(@Nullable String before, String now) {
        return before != null && !before.equals(now);
    }

    private String explainVersion(Map<String, String> stamps) {
        StoredConfig config = found.config();
        String extensions = config == null ? null : explainExtensions(config.source(), rendered.rendered());
        if (extensions != null) {
            return extensions;
        }
        return rendered.rendered().profile().describe() + " has version "
                + rendered.rendered().stamps().profileVersion() + was(stamps.get(SourceAnnotations.PROFILE_VERSION));
    }

    private String explainRevision(Map<String, String> stamps) {
        return "the MachineDeployment has revision "
                + rendered.rendered().stamps().revision() + was(stamps.get(SourceAnnotations.REVISION));
    }

    private static String was(@Nullable String before) {
        return before == null || before.isEmpty() ? "" : " (was " + before + ")";
    }
}
