package io.osmhub.core.status;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.PublishedSecret;
import io.osmhub.core.osc.OperatingSystemConfigStatus.Role;
import io.osmhub.core.osc.OperatingSystemConfigStatus.SecretState;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.LinkName;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.Condition.Status;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The chain from a profile to a machine. Every link except the connection has a condition of the OperatingSystemConfig; the connection
 * is a condition of the WorkerCluster. Conditions, lists, reports and the console all use this one reading of it:
 *
 * <pre>
 * problems (each knows its link) -- cause ---> the first broken link
 * conditions, published secrets  -- states --> the state of each link
 * </pre>
 *
 * @param conditions of the MachineDeployment; empty before its first run
 * @param secrets as published for it
 * @param connected whether objects of the worker cluster are known
 */
public record Chain(List<Condition> conditions, List<PublishedSecret> secrets, boolean connected) {
    /** Links of content, of which an older one may be in use. */
    private static final Set<LinkName> HAS_OLDER =
            EnumSet.of(LinkName.RENDERED_CONFIG, LinkName.PROVISIONING_SECRET, LinkName.BOOTSTRAP_SECRET);

    /** Independent of time, so that a condition and a list name the same of two problems. */
    private static final Comparator<Problem> FIRST = Comparator.comparing(
                    (Problem problem) -> Objects.requireNonNull(problem.link()))
            .thenComparing(problem -> problem.reason().severity())
            .thenComparing(problem -> problem.reason().wireName());

    public Chain {
        conditions = List.copyOf(conditions);
        secrets = List.copyOf(secrets);
    }

    /** As stored with an OperatingSystemConfig; {@code status} is null before. */
    public static Chain of(@Nullable OperatingSystemConfigStatus status, boolean connected) {
        return status == null
                ? new Chain(List.of(), List.of(), connected)
                : new Chain(
                        Objects.requireNonNullElse(status.conditions(), List.of()),
                        Objects.requireNonNullElse(status.secrets(), List.of()),
                        connected);
    }

    /** State of a link. */
    public enum LinkState {
        @JsonProperty("Ok")
        OK,
        @JsonProperty("Broken")
        BROKEN,
        /** An older valid one is still in use. */
        @JsonProperty("OlderKept")
        OLDER_KEPT,
        /** Waiting for another link, another component or a user. */
        @JsonProperty("Waiting")
        WAITING,
        @JsonProperty("Unknown")
        UNKNOWN
    }

    /**
     * The cause among the problems of a MachineDeployment and its tenant: the one that breaks the first link, because later ones
     * follow from it. Empty if no problem breaks a link. A consequence of a lost connection, such as an expired token, is never the
     * cause, and a mere risk is only without a worse problem.
     */
    public static Optional<Problem> cause(Collection<Problem> problems) {
        boolean stopped = problems.stream().anyMatch(Chain::stopsWrites);
        return problems.stream()
                .filter(problem -> problem.link() != null && problem.reason() != Reason.PublishPending)
                .filter(problem -> !stopped || !problem.reason().description().isMissingWrite())
                .min(Comparator.comparing((Problem problem) ->
                                problem.reason().severity() != Severity.ERROR && !stopsWrites(problem))
                        .thenComparing(FIRST));
    }

    private static boolean stopsWrites(Problem problem) {
        return problem.reason().description().stopsWrites();
    }

    /** As above, the first with that problem. */
    public static <P> Optional<P> cause(Collection<P> all, Function<P, Problem> problemOf) {
        return cause(all.stream().map(problemOf).toList()).flatMap(cause -> all.stream()
                .filter(one -> problemOf.apply(one).equals(cause))
                .findFirst());
    }

    /** The problem that a link's condition shows: its worst. Empty if no problem breaks it. */
    static Optional<Problem> problemAt(LinkName link, Collection<Problem> problems) {
        return problems.stream()
                .filter(problem -> problem.link() == link && problem.reason().severity() != Severity.INFO)
                .min(FIRST);
    }

    /** The condition of a link in an OperatingSystemConfig; null for the connection. */
    public static @Nullable String condition(LinkName link) {
        return switch (link) {
            case PROFILE -> "ProfileValid";
            case RENDERED_CONFIG -> "ConfigAccepted";
            case PROVISIONING_SECRET -> "ProvisioningSecretPublished";
            case BOOTSTRAP_SECRET -> "BootstrapSecretPublished";
            case BOOTSTRAP_TOKEN -> ConfigConditionsBuilder.TOKEN_VALID;
            case WORKER_CONNECTION -> null;
            case MACHINE_CONTROLLER_PICK_UP -> "PickedUp";
        };
    }

    /** The conditions of the links that a problem breaks. */
    public Map<LinkName, Condition> problems() {
        Map<LinkName, Condition> problems = new EnumMap<>(LinkName.class);
        for (LinkName link : LinkName.values()) {
            Condition found = find(link);
            if (found != null && found.status() == Status.FALSE) {
                problems.put(link, found);
            }
        }
        return problems;
    }

    /**
     * The states of the links, in the order of {@link LinkName}. Only the cause's is broken; what else is not right follows from it.
     *
     * @param broken the link that the cause breaks; null without a cause
     */
    public List<LinkState> states(@Nullable LinkName broken) {
        return Stream.of(LinkName.values())
                .map(link -> link == broken ? LinkState.BROKEN : state(link))
                .toList();
    }

    private LinkState state(LinkName link) {
        Condition found = find(link);
        boolean whole = link == LinkName.WORKER_CONNECTION || found != null && found.status() == Status.TRUE;
        if (whole) {
            return connected || link.compareTo(LinkName.RENDERED_CONFIG) <= 0 ? LinkState.OK : LinkState.UNKNOWN;
        }
        Role role = link == LinkName.PROVISIONING_SECRET ? Role.PROVISIONING : Role.BOOTSTRAP;
        boolean older =
                secrets.stream().anyMatch(secret -> secret.role() == role && secret.state() == SecretState.OLDER_KEPT);
        return older && HAS_OLDER.contains(link) ? LinkState.OLDER_KEPT : LinkState.WAITING;
    }

    private @Nullable Condition find(LinkName link) {
        String type = condition(link);
        return type == null ? null : ConditionsBuilder.findCondition(conditions, type);
    }
}
