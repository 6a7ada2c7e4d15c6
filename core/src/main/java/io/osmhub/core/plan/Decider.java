package io.osmhub.core.plan;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.plan.Decision.Outcome;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.render.ExceededLimits;
import io.osmhub.core.template.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides what to do about one MachineDeployment, from nothing but the facts: it compares what is wanted with what is found, by
 * content, so that it may be asked again after any failure and any part of its changes. Safe for use by many threads.
 */
public final class Decider {
    /** machine-controller sets the revision within a second; after this long it probably does not run. */
    private static final Duration REVISION_AWAITED = Duration.ofMinutes(2);

    private final Rendition.Maker renditions;
    private final RandomGenerator random;

    /**
     * @param limits of one rendering
     * @param nanoTime monotonic, for the limit of time
     * @param random makes bootstrap tokens, so it has to be secure; safe for use by many threads
     */
    public Decider(Limits limits, LongSupplier nanoTime, RandomGenerator random) {
        this.renditions = new Rendition.Maker(limits, nanoTime, new ExceededLimits());
        this.random = random;
    }

    /** Renders within the same limits, for people, unless publishing the same exceeded one recently; this is not affected by it. */
    public Previewer previewer() {
        return new Previewer(renditions.limits(), renditions.nanoTime(), renditions.exceeded());
    }

    public Decision decide(Facts facts) {
        MachineDeployment machineDeployment = facts.machineDeployment();
        if (!machineDeployment.hasFinalizer()
                && (machineDeployment.profileName().isEmpty() || machineDeployment.deletionTimestamp() != null)) {
            return new Decision(new Outcome.NotOurs(), List.of(), List.of(), List.of(), null, null, null);
        }
        return new OneDecision(facts).decision();
    }

    /** One run of {@link #decide}. */
    private final class OneDecision {
        private final Facts facts;
        private final MachineDeployment machineDeployment;
        private final String tenant;
        private final Marks marks;
        private final ObjectNames names;
        /** As found; a new one is made only for what is published. */
        private final TokenChoice tokens;

        private final FetchChoice fetch;

        private final List<Diagnosis> problems = new ArrayList<>();

        OneDecision(Facts facts) {
            this.facts = facts;
            this.machineDeployment = facts.machineDeployment();
            this.tenant = facts.tenant().namespace();
            this.marks = Marks.of(machineDeployment, facts.tenant());
            this.names = ObjectNames.of(machineDeployment);
            this.tokens = new TokenChoice(facts, marks, names);
            this.fetch = new FetchChoice(facts, marks, names);
        }

        Decision decision() {
            Collisions.Lost lost = new Collisions(facts, marks, this::fits).find();
            if (machineDeployment.deletionTimestamp() != null) {
                return leave(lost);
            }
            names.tooLong().forEach(finding -> problems.add(Diagnosis.of(tenant, finding)));
            if (lost != null) {
                problems.add(lost.diagnosis(tenant, machineDeployment));
            }
            if (!problems.isEmpty()) {
                return done(new Outcome.Blocked(), List.of(), null, null);
            }
            if (machineDeployment.profileName().isEmpty()) {
                problems.add(
                        Diagnosis.of(Reason.ProfileAnnotationMissing, Map.of("tenant", tenant, "md", marks.owner())));
                return keep(new Outcome.NotRendered());
            }
            return missingInputs() ? keep(new Outcome.NotRendered()) : render();
        }

        private Decision leave(Collisions.@Nullable Lost lost) {
            List<Change> changes = new Removal(facts, marks).changes(lost);
            return done(new Outcome.Leaving(), changes, null, null);
        }

        private boolean missingInputs() {
            for (Finding finding : facts.tenant().references().findings()) {
                problems.add(Diagnosis.ofSettings(facts.tenant(), finding));
            }
            for (List<Finding> findings : List.of(facts.apiServer().findings(), fetch.findings())) {
                findings.forEach(finding -> problems.add(Diagnosis.ofSettings(facts.tenant(), finding)));
            }
            if (byServiceAccount()) {
                facts.serviceAccountToken()
                        .findings()
                        .forEach(finding -> problems.add(Diagnosis.ofSettings(facts.tenant(), finding)));
            }
            facts.profile().findings().forEach(finding -> problems.add(Diagnosis.of(tenant, finding)));
            return !problems.isEmpty();
        }

        private boolean byServiceAccount() {
            return facts.tenant().settings().bootstrap().serviceAccount() != null;
        }

        private Decision render() {
            Sensitive fetched = fetch.text();
            if (fetched == null) {
                fetch.strangers().forEach(grant -> problems.add(Publishing.stranger(facts, marks, grant)));
                return keep(new Outcome.AwaitsToken());
            }
            TokenChoice chosen = tokens.renewed(random);
            Rendition rendition;
            try {
                rendition = renditions.make(
                        facts, self(), requireToken(chosen), new Rendition.Fetch(fetched, fetch.isScoped()));
            } catch (Problem e) {
                e.findings().forEach(finding -> problems.add(Diagnosis.of(tenant, finding)));
                Duration pause = ExceededLimits.pause(e.findings());
                return keep(
                        new Outcome.NotRendered(),
                        pause == null ? null : facts.now().plus(pause));
            } catch (RuntimeException e) {
                // Whatever goes wrong with one profile, nodes of what was published must be able to join.
                return keep(new Outcome.Failed(e));
            }
            String suffix = facts.found().secret(SecretRole.BOOTSTRAP) == null ? "" : "; older content stays in use";
            for (Finding finding : rendition.tooLarge()) {
                Diagnosis diagnosis = Diagnosis.of(tenant, finding);
                problems.add(new Diagnosis(diagnosis.reason(), diagnosis.message() + suffix));
            }
            Publishing publishing = new Publishing(facts, marks, rendition, chosen, fetch);
            problems.addAll(publishing.strangers());
            return problems.isEmpty()
                    ? publish(rendition, publishing, chosen)
                    : keep(new Outcome.Held(rendition.rendered()));
        }

        private Facts.Rival self() {
            return new Facts.Rival(
                    machineDeployment, facts.profile(), facts.found().tokens());
        }

        private Sensitive requireToken(TokenChoice choice) {
            return Objects.requireNonNull(token(choice), "missing inputs were told before");
        }

        /** Text of the token with which nodes join; null without. */
        private @Nullable Sensitive token(TokenChoice choice) {
            if (!byServiceAccount()) {
                return choice.text();
            }
            return facts.serviceAccountToken() instanceof Lookup.Found<Sensitive>(Sensitive token) ? token : null;
        }

        private Decision publish(Rendition rendition, Publishing publishing, TokenChoice chosen) {
            List<Change> changes = publishing.changes();
            revisionAwaited();
            return done(
                    new Outcome.Wanted(rendition.rendered()),
                    changes,
                    chosen.inUse(changes),
                    earlier(earlier(chosen.again(publishing.othersNeeded()), fetch.again()), revisionDue()));
        }

        private @Nullable Instant revisionDue() {
            Instant created = machineDeployment.creationTimestamp();
            return created == null || !machineDeployment.revision().isEmpty() ? null : created.plus(REVISION_AWAITED);
        }

        private void revisionAwaited() {
            Instant due = revisionDue();
            if (due != null && !due.isAfter(facts.now())) {
                problems.add(Diagnosis.of(Reason.RevisionNotSet, Map.of("tenant", tenant, "md", marks.owner())));
            }
        }

        private @Nullable Instant earlier(@Nullable Instant a, @Nullable Instant b) {
            Instant due = b == null || !b.isAfter(facts.now()) ? null : b;
            return a == null || due != null && due.isBefore(a) ? due : a;
        }

        /** Nothing is published, but what was stays good. Which token is in it is not known, so all are kept. */
        private Decision keep(Outcome outcome) {
            return keep(outcome, null);
        }

        private Decision keep(Outcome outcome, @Nullable Instant retry) {
            boolean first = facts.found().secret(SecretRole.BOOTSTRAP) == null;
            List<Change> changes = new ArrayList<>(tokens.changes(false, true));
            List<Change> fetching = fetch.strangers().isEmpty() ? fetch.kept(first) : List.of();
            changes.addAll(fetching);
            if (!machineDeployment.hasFinalizer() && (anythingToCleanUp() || !fetching.isEmpty())) {
                Why why = first
                        ? new Why(Why.Cause.FIRST, "it is published")
                        : new Why(Why.Cause.DRIFT, "the finalizer was removed");
                changes.addFirst(new Change.AddFinalizer(Stage.TOKEN, why, machineDeployment));
            }
            return done(
                    outcome,
                    changes,
                    tokens.inUse(changes),
                    earlier(earlier(tokens.again(true), fetch.again()), retry));
        }

        private boolean anythingToCleanUp() {
            FoundObjects found = facts.found();
            return found.secrets().entrySet().stream()
                    .anyMatch(entry -> Holder.of(marks, entry.getValue(), entry.getKey()) != Holder.STRANGERS);
        }

        private Decision done(
                Outcome outcome, List<Change> changes, Decision.@Nullable Token token, @Nullable Instant again) {
            List<Change> ordered = changes.stream()
                    .sorted(Comparator.comparingInt(Change::stage))
                    .toList();
            problems.sort(Comparator.comparing(problem -> problem.reason().severity()));
            boolean mayWrite = facts.mayWrite();
            return new Decision(
                    outcome,
                    mayWrite ? ordered : List.of(),
                    mayWrite ? List.of() : ordered,
                    problems,
                    token,
                    fetch.inUse(),
                    mayWrite ? again : null);
        }

        /** Whether secrets that nobody marked hold what a MachineDeployment would get with a token that is there. */
        private boolean fits(Facts.Rival subject, SortedMap<String, StoredSecret> secrets) {
            ObjectNames subjectNames = ObjectNames.of(subject.machineDeployment());
            TokenChoice choice = new TokenChoice(
                    Marks.of(subject.machineDeployment(), facts.tenant()),
                    subjectNames,
                    subject.tokens(),
                    facts.tenant().settings().bootstrap().tokenTtl(),
                    true,
                    facts.now(),
                    null);
            Sensitive token = token(choice);
            if (token == null) {
                return false;
            }
            if (!(facts.fetch().shared() instanceof Lookup.Found<Sensitive>(Sensitive shared))) {
                return false;
            }
            try {
                Rendition rendition = renditions.make(facts, subject, token, new Rendition.Fetch(shared, false));
                return rendition.secrets().entrySet().stream().anyMatch(wanted -> {
                    StoredSecret found = secrets.get(wanted.getValue().name());
                    return found != null
                            && found.digests().equals(rendition.digests().get(wanted.getKey()));
                });
            } catch (RuntimeException e) {
                return false;
            }
        }
    }
}
