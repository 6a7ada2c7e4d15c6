package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.Stamps;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.problem.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Compares what a MachineDeployment is to have with what is found, by content, and lists what makes the one into the other. */
final class Publishing {
    private static final String OWN_MANAGER = "osm-hub";
    private static final String PEERS_MANAGER = "osm-controller";

    private final Facts facts;
    private final Marks marks;
    private final Rendition wanted;
    private final TokenChoice tokens;
    private final FetchChoice fetch;
    private final FoundObjects found;
    private final boolean first;
    private final boolean sameConfig;

    Publishing(Facts facts, Marks marks, Rendition wanted, TokenChoice tokens, FetchChoice fetch) {
        this.facts = facts;
        this.marks = marks;
        this.wanted = wanted;
        this.tokens = tokens;
        this.fetch = fetch;
        this.found = facts.found();
        StoredConfig config = found.config();
        this.first = config == null && found.secret(SecretRole.BOOTSTRAP) == null;
        this.sameConfig = config != null && wanted.isIn(config);
    }

    /** Objects under wanted names that are somebody else's. */
    List<Diagnosis> strangers() {
        List<Diagnosis> strangers = new ArrayList<>();
        for (SecretRole role : SecretRole.values()) {
            StoredSecret secret = found.secret(role);
            if (secret != null && isWanted(role) && Holder.of(marks, secret, role) == Holder.STRANGERS) {
                strangers.add(
                        stranger(facts, marks, "Secret", secret.name(), secret.annotations(), secret.lastWriter()));
            }
        }
        StoredConfig config = found.config();
        if (config != null && Holder.of(marks, config) == Holder.STRANGERS) {
            strangers.add(stranger(
                    facts, marks, "OperatingSystemConfig", config.name(), config.annotations(), config.lastWriter()));
        }
        fetch.strangers().forEach(grant -> strangers.add(stranger(facts, marks, grant)));
        return strangers;
    }

    /** The edge script is for one provider; the others are for every one, and may be left out because they are too large. */
    private boolean isWanted(SecretRole role) {
        return role != SecretRole.EDGE_SCRIPT || wanted.secrets().containsKey(role);
    }

    static Diagnosis stranger(Facts facts, Marks marks, StoredGrant grant) {
        return stranger(facts, marks, grant.kind().kind(), grant.name(), grant.annotations(), grant.lastWriter());
    }

    private static Diagnosis stranger(
            Facts facts,
            Marks marks,
            String kind,
            String name,
            Map<String, String> annotations,
            @Nullable String lastWriter) {
        boolean anotherHub =
                !annotations.getOrDefault(Marks.HUB_ID, marks.hubId()).equals(marks.hubId());
        String handOver = anotherHub ? marks.owner() + " " + Marks.HUB_ID + "- --overwrite" : marks.owner();
        return Diagnosis.of(
                Reason.ObjectNotOwned,
                Map.of(
                        "tenant", facts.tenant().namespace(),
                        "kind", kind,
                        "name", name,
                        "manager", Holder.writer(marks, annotations, lastWriter),
                        "md", handOver));
    }

    List<Change> changes() {
        List<Change> changes = new ArrayList<>();
        MachineDeployment machineDeployment = facts.machineDeployment();
        if (!machineDeployment.hasFinalizer()) {
            Why why = first
                    ? new Why(Why.Cause.FIRST, "it is published")
                    : new Why(Why.Cause.DRIFT, "the finalizer was removed");
            changes.add(new Change.AddFinalizer(Stage.TOKEN, why, machineDeployment));
        }
        changes.addAll(tokens.changes(first, othersNeeded()));
        for (SecretRole role : SecretRole.values()) {
            Change change = secret(role);
            if (change != null) {
                changes.add(change);
            }
        }
        Change config = config();
        if (config != null) {
            changes.add(config);
        }
        changes.addAll(fetch.changes(first));
        return changes;
    }

    /** While something published has to change, it may embed another token than the one in use. */
    boolean othersNeeded() {
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

    private @Nullable Change secret(SecretRole role) {
        SecretObject object = wanted.secrets().get(role);
        StoredSecret secret = found.secret(role);
        if (object == null) {
            return secret == null ? null : notWanted(secret, role);
        }
        int stage = Stage.of(role);
        if (secret == null) {
            boolean noneStarts = found.secret(SecretRole.BOOTSTRAP) == null && role != SecretRole.BOOTSTRAP;
            return new Change.CreateSecret(noneStarts ? Stage.TOKEN : stage, whyCreated(), role, object);
        }
        boolean sameType = secret.type().equals(object.type());
        if (!sameType || !holds(secret, role)) {
            Why why = whyChanged(secret.lastWriter());
            return sameType && !secret.immutable()
                    ? new Change.UpdateSecret(stage, why, role, secret, object)
                    : new Change.ReplaceSecret(stage, why, role, secret, object);
        }
        return stamp(role, secret);
    }

    private @Nullable Change notWanted(StoredSecret secret, SecretRole role) {
        return Holder.of(marks, secret, role) == Holder.STRANGERS
                ? null
                : new Change.DeleteSecret(
                        Stage.NEEDED_NO_MORE,
                        new Why(
                                Why.Cause.REMOVAL,
                                "the cloud provider is "
                                        + wanted.config().spec().cloudProvider() + " now"),
                        secret);
    }

    /** The content is right. machine-controller reads the revision of the bootstrap secret; no other annotation is worth a write. */
    private @Nullable Change stamp(SecretRole role, StoredSecret secret) {
        String revision = wanted.rendered().stamps().revision();
        boolean stale = role == SecretRole.BOOTSTRAP
                && !revision.equals(secret.annotations().get(Stamps.REVISION));
        boolean predecessors = Holder.of(marks, secret, role) == Holder.PREDECESSORS;
        if (!stale && !predecessors) {
            return null;
        }
        SortedMap<String, String> annotations = new TreeMap<>(marks.inWorker());
        if (stale) {
            annotations.put(Stamps.REVISION, revision);
        }
        Why why = predecessors
                ? new Why(Why.Cause.CONTENT, "an earlier MachineDeployment left it")
                : new Why(Why.Cause.REVISION, Because.revision(wanted.rendered(), secret.annotations()));
        return new Change.StampSecret(Stage.of(role), why, role, secret, annotations);
    }

    private @Nullable Change config() {
        StoredConfig config = found.config();
        if (config == null) {
            return new Change.CreateConfig(Stage.CONFIG, whyCreated(), wanted.config(), marks.onConfig());
        }
        if (sameConfig && Holder.of(marks, config) != Holder.PREDECESSORS) {
            return null;
        }
        Why why = isForeign(config.lastWriter()) && Because.nothingChanged(config, wanted.rendered())
                ? new Why(Why.Cause.DRIFT, config.lastWriter() + " changed it")
                : new Why(Why.Cause.CONTENT, because());
        return new Change.ReplaceConfig(Stage.CONFIG, why, config, wanted.config(), marks.onConfig());
    }

    private Why whyCreated() {
        if (first) {
            return new Why(Why.Cause.FIRST, "it is published");
        }
        boolean knownSame = sameConfig || found.config() == null;
        return knownSame && !tokens.isNew() && fetch.because() == null
                ? new Why(Why.Cause.DRIFT, "it was missing")
                : new Why(Why.Cause.CONTENT, because());
    }

    private Why whyChanged(@Nullable String lastWriter) {
        if (sameConfig && !tokens.isNew() && fetch.isRenewal()) {
            return new Why(Why.Cause.RENEWAL, "machines fetch with a new token before the old one ends");
        }
        return isForeign(lastWriter) && sameConfig && !tokens.isNew() && fetch.because() == null
                ? new Why(Why.Cause.DRIFT, lastWriter + " changed it")
                : new Why(Why.Cause.CONTENT, because());
    }

    private static boolean isForeign(@Nullable String lastWriter) {
        return lastWriter != null && !lastWriter.equals(OWN_MANAGER) && !lastWriter.equals(PEERS_MANAGER);
    }

    private String because() {
        if (tokens.isNew()) {
            return "there is a new bootstrap token";
        }
        String because = fetch.because();
        return sameConfig && because != null ? because : Because.content(facts, wanted.rendered(), sameConfig);
    }
}
