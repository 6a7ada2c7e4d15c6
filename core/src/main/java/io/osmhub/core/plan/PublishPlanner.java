package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.bootstrap.SourceAnnotations;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.plan.ChangeReason.ChangeExplainer;
import io.osmhub.core.plan.Decider.WriteStage;
import io.osmhub.core.plan.Facts.FoundObjects;
import io.osmhub.core.plan.OwnershipAnnotations.Ownership;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Compares desired and found objects by content and lists the changes between them. */
final class PublishPlanner {
    private static final String CONFIG = "OperatingSystemConfig";
    private static final String OWN_MANAGER = "osm-hub";
    private static final String PEERS_MANAGER = "osm-controller";

    private final Facts facts;
    private final OwnershipAnnotations marks;
    private final RenderedObjects wanted;
    private final BootstrapTokenPlanner tokens;
    private final FetchTokenPlanner fetch;
    private final FoundObjects found;
    private final boolean first;
    private final boolean sameConfig;

    PublishPlanner(
            Facts facts,
            OwnershipAnnotations marks,
            RenderedObjects wanted,
            BootstrapTokenPlanner tokens,
            FetchTokenPlanner fetch) {
        this.facts = facts;
        this.marks = marks;
        this.wanted = wanted;
        this.tokens = tokens;
        this.fetch = fetch;
        this.found = facts.found();
        StoredConfig config = found.config();
        this.first = config == null && found.secret(SecretRole.BOOTSTRAP) == null;
        this.sameConfig = config != null && wanted.matches(config);
    }

    /** Objects under desired names that another writer owns. */
    List<ReasonMessage> findForeignObjects() {
        List<ReasonMessage> strangers = new ArrayList<>();
        for (SecretRole role : SecretRole.values()) {
            StoredSecret secret = found.secret(role);
            if (secret != null && isWanted(role) && Ownership.of(marks, secret, role) == Ownership.FOREIGN) {
                strangers.add(foreignObject(
                        facts, marks, "Secret", secret.name(), secret.annotations(), secret.lastWriter()));
            }
        }
        StoredConfig config = found.config();
        if (config != null && Ownership.of(marks, config) == Ownership.FOREIGN) {
            strangers.add(
                    foreignObject(facts, marks, CONFIG, config.name(), config.annotations(), config.lastWriter()));
        }
        fetch.foreignGrants().forEach(grant -> strangers.add(foreignObject(facts, marks, grant)));
        return strangers;
    }

    /**
     * Secrets with content of OSM that would get other content, unless the hub has published the MachineDeployment before. OSM's
     * secrets with the same content are not marked when they are adopted, so the hub's OperatingSystemConfig tells that.
     */
    List<StoredSecret> findOtherOsmContent() {
        StoredConfig config = found.config();
        OperatingSystemConfigStatus status = config == null ? null : config.status();
        boolean published = config != null
                && (config.annotations().containsKey(OwnershipAnnotations.OWNER)
                        || status != null && status.source() != null);
        List<StoredSecret> others = new ArrayList<>();
        found.secrets().forEach((role, secret) -> {
            if (!published && Ownership.of(marks, secret, role) == Ownership.OSM && !holds(secret, role)) {
                others.add(secret);
            }
        });
        return others;
    }

    /** The edge script is for one provider; the others are for all, unless they are too large. */
    private boolean isWanted(SecretRole role) {
        return role != SecretRole.EDGE_SCRIPT || wanted.secrets().containsKey(role);
    }

    static ReasonMessage foreignObject(Facts facts, OwnershipAnnotations marks, StoredGrant grant) {
        return foreignObject(facts, marks, grant.kind().kind(), grant.name(), grant.annotations(), grant.lastWriter());
    }

    private static ReasonMessage foreignObject(
            Facts facts,
            OwnershipAnnotations marks,
            String kind,
            String name,
            Map<String, String> annotations,
            @Nullable String lastWriter) {
        String namespace = kind.equals(CONFIG) ? facts.tenant().namespace() : ObjectNames.SETTINGS_NAMESPACE;
        String hub = annotations.get(OwnershipAnnotations.HUB_ID);
        String cure = marks.hub().isOther(hub)
                ? "if that hub is stopped, take over all that it wrote: hub cluster takeover "
                        + facts.tenant().workerCluster() + " -n "
                        + facts.tenant().namespace() + " --from " + hub
                : "delete it, or let the hub adopt it: kubectl -n " + namespace + " annotate " + kind + " " + name + " "
                        + OwnershipAnnotations.OWNER + "=" + marks.owner();
        return Reason.ObjectNotOwned.with(
                "tenant",
                facts.tenant().namespace(),
                "kind",
                kind,
                "name",
                name,
                "namespace",
                namespace,
                "manager",
                Ownership.describeWriter(marks, annotations, lastWriter),
                "cure",
                cure);
    }

    List<PlannedChange> changes() {
        List<PlannedChange> changes = new ArrayList<>();
        MachineDeployment machineDeployment = facts.machineDeployment();
        if (!machineDeployment.hasFinalizer()) {
            ChangeReason why = first
                    ? new ChangeReason(ChangeReason.Cause.FIRST, "first publication")
                    : new ChangeReason(ChangeReason.Cause.DRIFT, "the finalizer was removed");
            changes.add(new PlannedChange.AddFinalizer(WriteStage.TOKEN, why, machineDeployment));
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
        for (SecretRole role : wanted.secrets().keySet()) {
            StoredSecret secret = found.secret(role);
            if (secret != null && !holds(secret, role)) {
                return true;
            }
        }
        return false;
    }

    private boolean holds(StoredSecret secret, SecretRole role) {
        return secret.digests().equals(wanted.digests().get(role));
    }

    private @Nullable PlannedChange secret(SecretRole role) {
        DesiredSecret object = wanted.secrets().get(role);
        StoredSecret secret = found.secret(role);
        if (object == null) {
            return secret == null ? null : notWanted(secret, role);
        }
        int stage = WriteStage.of(role);
        if (secret == null) {
            boolean noneStarts = found.secret(SecretRole.BOOTSTRAP) == null && role != SecretRole.BOOTSTRAP;
            return new PlannedChange.CreateSecret(noneStarts ? WriteStage.TOKEN : stage, whyCreated(), role, object);
        }
        boolean sameType = secret.type().equals(object.type());
        if (!sameType || !holds(secret, role)) {
            ChangeReason why = whyChanged(secret.lastWriter());
            return sameType && !secret.immutable()
                    ? new PlannedChange.UpdateSecret(stage, why, role, secret, object)
                    : new PlannedChange.ReplaceSecret(stage, why, role, secret, object);
        }
        return stamp(role, secret, object);
    }

    private @Nullable PlannedChange notWanted(StoredSecret secret, SecretRole role) {
        return Ownership.of(marks, secret, role) == Ownership.FOREIGN
                ? null
                : new PlannedChange.DeleteSecret(
                        WriteStage.OBSOLETE,
                        new ChangeReason(
                                ChangeReason.Cause.REMOVAL,
                                "the cloud provider is "
                                        + wanted.config().spec().cloudProvider() + " now"),
                        secret);
    }

    /**
     * For an object with the right content. machine-controller reads the revision of the bootstrap secret, and people read the
     * profile's version; no other annotation is worth a write.
     */
    private @Nullable PlannedChange stamp(SecretRole role, StoredSecret secret, DesiredSecret object) {
        String revision = wanted.rendered().stamps().revision();
        boolean stale = role == SecretRole.BOOTSTRAP
                && !revision.equals(secret.annotations().get(SourceAnnotations.REVISION));
        boolean otherVersion = object.annotations().containsKey(SourceAnnotations.PROFILE_VERSION)
                && hasOtherVersion(secret.annotations());
        boolean predecessors = Ownership.of(marks, secret, role) == Ownership.PREVIOUS;
        if (!stale && !otherVersion && !predecessors) {
            return null;
        }
        SortedMap<String, String> annotations = new TreeMap<>(marks.workerAnnotations());
        if (otherVersion) {
            annotations.putAll(wanted.rendered().stamps().annotations());
        } else if (stale) {
            annotations.put(SourceAnnotations.REVISION, revision);
        }
        ChangeReason why = predecessors
                ? new ChangeReason(ChangeReason.Cause.CONTENT, "it belonged to an earlier MachineDeployment")
                : new ChangeReason(
                        ChangeReason.Cause.REVISION,
                        otherVersion
                                ? ChangeExplainer.explainVersion(wanted.rendered(), secret.annotations())
                                : ChangeExplainer.explainRevision(wanted.rendered(), secret.annotations()));
        return new PlannedChange.AnnotateSecret(WriteStage.of(role), why, role, secret, annotations);
    }

    private @Nullable PlannedChange config() {
        StoredConfig config = found.config();
        if (config == null) {
            return new PlannedChange.CreateConfig(
                    WriteStage.CONFIG, whyCreated(), wanted.config(), marks.configAnnotations());
        }
        if (sameConfig && Ownership.of(marks, config) != Ownership.PREVIOUS) {
            return hasOtherVersion(config.annotations())
                    ? new PlannedChange.AnnotateConfig(
                            WriteStage.CONFIG,
                            new ChangeReason(
                                    ChangeReason.Cause.REVISION,
                                    ChangeExplainer.explainVersion(wanted.rendered(), config.annotations())),
                            config,
                            wanted.rendered().stamps().annotations())
                    : null;
        }
        ChangeReason why = isForeign(config.lastWriter()) && ChangeExplainer.isUnchanged(config, wanted.rendered())
                ? new ChangeReason(ChangeReason.Cause.DRIFT, config.lastWriter() + " changed it")
                : new ChangeReason(ChangeReason.Cause.CONTENT, because());
        return new PlannedChange.ReplaceConfig(
                WriteStage.CONFIG, why, config, wanted.config(), marks.configAnnotations());
    }

    private boolean hasOtherVersion(Map<String, String> annotations) {
        return !wanted.rendered().stamps().profileVersion().equals(annotations.get(SourceAnnotations.PROFILE_VERSION));
    }

    private ChangeReason whyCreated() {
        if (first) {
            return new ChangeReason(ChangeReason.Cause.FIRST, "first publication");
        }
        boolean knownSame = sameConfig || found.config() == null;
        return knownSame && !tokens.isNew() && fetch.changeExplanation() == null
                ? new ChangeReason(ChangeReason.Cause.DRIFT, "it was missing")
                : new ChangeReason(ChangeReason.Cause.CONTENT, because());
    }

    private ChangeReason whyChanged(@Nullable String lastWriter) {
        if (sameConfig && !tokens.isNew() && fetch.isRenewal()) {
            return new ChangeReason(
                    ChangeReason.Cause.RENEWAL, "machines fetch with a new token before the old one ends");
        }
        return isForeign(lastWriter) && sameConfig && !tokens.isNew() && fetch.changeExplanation() == null
                ? new ChangeReason(ChangeReason.Cause.DRIFT, lastWriter + " changed it")
                : new ChangeReason(ChangeReason.Cause.CONTENT, because());
    }

    private static boolean isForeign(@Nullable String lastWriter) {
        return lastWriter != null && !lastWriter.equals(OWN_MANAGER) && !lastWriter.equals(PEERS_MANAGER);
    }

    private String because() {
        if (tokens.isNew()) {
            return "there is a new bootstrap token";
        }
        String because = fetch.changeExplanation();
        return sameConfig && because != null
                ? because
                : ChangeExplainer.explainContent(facts, wanted.rendered(), sameConfig);
    }
}
