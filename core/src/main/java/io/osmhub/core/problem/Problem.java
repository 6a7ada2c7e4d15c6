package io.osmhub.core.problem;

import io.osmhub.core.problem.ProblemObject.Cluster;
import io.osmhub.core.problem.Reason.LinkName;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Something that is wrong, or another fact with a reason, as values; {@link #message} makes the sentence for people, which is never
 * read back. {@link #inTenant} completes what a reader of an input found.
 *
 * @param scope whose it is; {@link Scope#UNKNOWN} while not completed
 * @param object what is wrong
 * @param field path in the object, for example {@code spec.bootstrapConfig.files[3] (/opt/bin/setup)}; empty for the whole object
 * @param position in the text of the field; {@link SourcePosition#NONE} if unknown
 * @param cause one clause without object and field
 * @param fix one clause; empty if there is nothing to fix
 * @param command of the fix; {@link Command#NONE} if the fix is none
 * @param actor who has to act, which depends on the object
 * @param link of the chain that it breaks; null if none
 */
public record Problem(
        Reason reason,
        Scope scope,
        ProblemObject object,
        String field,
        SourcePosition position,
        String cause,
        String fix,
        Command command,
        Actor actor,
        @Nullable LinkName link) {

    /**
     * Whose a problem is.
     *
     * @param tenant its namespace
     * @param workerCluster name of its WorkerCluster; empty if unknown
     */
    public record Scope(String tenant, String workerCluster) {
        /** The hub as a whole. */
        public static final Scope HUB = new Scope("hub", "");

        static final Scope UNKNOWN = new Scope("", "");
    }

    /** A problem of which only the message is known, as of another program or an earlier version. */
    public static Problem ofMessage(Reason reason, String message) {
        return new Problem(reason, ProblemObject.NONE, "", message, "");
    }

    /** A problem of the hub as a whole of which only the message is known. */
    public static Problem ofHub(Reason reason, String message) {
        return new Problem(reason, Scope.HUB, ProblemObject.NONE, "", SourcePosition.NONE, message, "");
    }

    private Problem(
            Reason reason,
            Scope scope,
            ProblemObject object,
            String field,
            SourcePosition position,
            String cause,
            String fix) {
        this(reason, scope, object, field, position, cause, fix, Command.NONE, reason.actor(), reason.brokenLink());
    }

    /** A problem as found, before it is known whose it is. */
    public Problem(
            Reason reason, ProblemObject object, String field, SourcePosition position, String cause, String fix) {
        this(reason, Scope.UNKNOWN, object, field, position, cause, fix);
    }

    /** As above, without a position. */
    public Problem(Reason reason, ProblemObject object, String field, String cause, String fix) {
        this(reason, object, field, SourcePosition.NONE, cause, fix);
    }

    public Problem withObject(ProblemObject other) {
        return new Problem(reason, scope, other, field, position, cause, fix, command, actor, link);
    }

    /** The same about an object of the worker cluster, found by a reader that does not know its cluster. */
    public Problem inWorkerCluster() {
        return withObject(new ProblemObject(Cluster.WORKER, object.kind(), object.namespace(), object.name()))
                .withCommand(command.isEmpty() ? command : new Command(Cluster.WORKER, command.text()));
    }

    public Problem withField(String other) {
        return new Problem(reason, scope, object, other, position, cause, fix, command, actor, link);
    }

    /** The same about an object of that link. */
    public Problem atLink(LinkName other) {
        return new Problem(reason, scope, object, field, position, cause, fix, command, actor, other);
    }

    /** The same with a further clause of the cause. */
    public Problem withEffect(String effect) {
        return new Problem(reason, scope, object, field, position, cause + ", " + effect, fix, command, actor, link);
    }

    public Problem withFix(String other) {
        return withFix(other, command);
    }

    public Problem withCommand(Command run) {
        return withFix(fix, run);
    }

    public Problem withFix(String other, Command run) {
        return new Problem(reason, scope, object, field, position, cause, other, run, actor, link);
    }

    /** The finding in a tenant's settings, which names a field of {@code spec} and no object, with its WorkerCluster. */
    public Problem ofWorkerCluster(String workerCluster) {
        return object.isNone()
                ? withObject(ProblemObject.of("WorkerCluster", workerCluster))
                        .withField(field.isEmpty() ? "" : "spec." + field)
                : this;
    }

    /**
     * Completes what a reader found: texts of other programs are escaped and cut, the fix says what to change, with its command, and
     * the actor is who may change the object.
     *
     * @param namespace the tenant's
     * @param workerCluster name of its WorkerCluster; empty if unknown
     */
    public Problem inTenant(String namespace, String workerCluster) {
        Scope whose = new Scope(MessageFormatter.sanitize(namespace), workerCluster);
        return withTexts(whose, MessageFormatter::value, MessageFormatter::clause)
                .completed(Map.of());
    }

    /** One that another program stored: nothing in it acts on a terminal, and no text is longer than the hub's own. */
    public Problem sanitized() {
        return withTexts(scope, MessageFormatter::clause, MessageFormatter::clause);
    }

    private Problem withTexts(Scope whose, UnaryOperator<String> name, UnaryOperator<String> clause) {
        ProblemObject about = new ProblemObject(
                object.cluster(), name.apply(object.kind()), name.apply(object.namespace()), name.apply(object.name()));
        return new Problem(
                reason,
                whose,
                about,
                name.apply(field),
                position,
                clause.apply(cause),
                clause.apply(fix),
                command,
                actor,
                link);
    }

    /** @param values further ones for the command of the reason */
    Problem completed(Map<String, String> values) {
        Command run = command.isEmpty() ? reason.description().command(this, values) : command;
        // A profile or extension that several tenants use belongs to the operator of the platform.
        boolean shared = (object.kind().equals("OperatingSystemProfile") || object.isExtension())
                && !object.namespace().isEmpty()
                && !object.namespace().equals(scope.tenant());
        Actor who = shared && actor == Actor.TENANT ? Actor.OPERATOR : actor;
        return new Problem(
                reason, scope, object, field, position, cause, fix.isEmpty() ? usualFix() : fix, run, who, link);
    }

    private String usualFix() {
        if (reason.severity() == Severity.INFO) {
            return "";
        }
        String place = field.isEmpty() ? "it" : field;
        // Only profiles have a version.
        boolean versioned = reason.category() == Category.PROFILE && !object.isExtension();
        return switch (reason.actor()) {
            case TENANT -> "correct " + place + (versioned ? " and raise spec.version" : "");
            case OPERATOR -> "fix the cause; the hub retries automatically";
            case HUB -> "no action is needed while the hub retries";
        };
    }

    /** One line for people, with the tenant: {@code tenant: Kind name, field line 12:7: cause; fix: command}. At most 1,024 characters. */
    public String message() {
        return MessageFormatter.message(this);
    }

    /** The object, its field and the position, for people; empty without any. */
    public String place() {
        StringBuilder text = new StringBuilder(object.toString());
        if (!field.isEmpty()) {
            text.append(text.isEmpty() ? "" : ", ").append(field);
        }
        if (position.isKnown()) {
            text.append(" line ").append(position.line());
            if (position.column() > 0) {
                text.append(':').append(position.column());
            }
        }
        return text.toString();
    }

    /** One line for people, without tenant and command. */
    @Override
    public String toString() {
        String place = place();
        String text = place.isEmpty() ? cause : place + ": " + cause;
        return fix.isEmpty() ? text : text + "; " + fix;
    }
}
