package io.osmhub.core.problem;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.problem.ProblemObject.Cluster;
import io.osmhub.core.problem.Reason.LinkName;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A reason in {@code reasons.txt}, whose header describes the format.
 *
 * @param conditionTargets conditions and objects that show it
 * @param eventSubjects objects that get the Event; may be empty
 * @param eventReason of the Event; OSM's reason where users may rely on it
 * @param link that it breaks; null if none
 * @param parts further texts by name
 */
public record ReasonDescription(
        Severity severity,
        Actor actor,
        Category category,
        List<ConditionTarget> conditionTargets,
        List<SubjectKind> eventSubjects,
        String eventReason,
        @Nullable LinkName link,
        Map<String, String> parts) {
    /** Before an object or a command of the worker cluster. */
    private static final String WORKER = "worker ";

    private static final Map<String, ReasonDescription> BY_NAME = read();

    /** Kind of object that carries a reason or its Event. */
    public enum SubjectKind {
        WORKER_CLUSTER("WorkerCluster"),
        PROFILE("OperatingSystemProfile"),
        EXTENSION("OperatingSystemProfileExtension"),
        CONFIG("OperatingSystemConfig"),
        MACHINE_DEPLOYMENT("MachineDeployment"),
        /** The kubeconfig Secret of a registration. */
        SECRET("Secret"),
        /** The replica's own Pod. */
        HUB("Pod");

        private final String kind;

        SubjectKind(String kind) {
            this.kind = kind;
        }

        public String kind() {
            return kind;
        }
    }

    /**
     * Where a reason is shown: a condition with its status, or an object alone when there is only an Event or a problem entry.
     *
     * @param condition for example {@code Rendered}; empty if none
     * @param status {@code True}, {@code False} or {@code Unknown}; empty without a condition
     */
    public record ConditionTarget(SubjectKind subject, String condition, String status) {
        private static ConditionTarget of(String notation) {
            String[] part = (notation + "/=").split("[/=]", 4);
            return new ConditionTarget(constant(SubjectKind.class, part[0]), part[1], part[2]);
        }

        /** For example {@code OperatingSystemConfig Rendered=False}. */
        @Override
        public String toString() {
            return condition.isEmpty() ? subject.kind() : subject.kind() + " " + condition + "=" + status;
        }
    }

    static ReasonDescription of(String name) {
        return Objects.requireNonNull(BY_NAME.get(name), name);
    }

    private static Map<String, ReasonDescription> read() {
        try (InputStream file = ReasonDescription.class.getResourceAsStream("reasons.txt")) {
            return read(new String(Objects.requireNonNull(file).readAllBytes(), UTF_8));
        } catch (IOException unreadable) {
            throw new UncheckedIOException("reasons.txt is part of the program", unreadable);
        }
    }

    /** Reads a catalogue. */
    static Map<String, ReasonDescription> read(String catalogue) {
        Map<String, Map<String, String>> all = new HashMap<>();
        Map<String, String> parts = new HashMap<>();
        for (String line : catalogue.lines().toList()) {
            if (line.startsWith(" ")) {
                String[] part = line.strip().split(": ", 2);
                parts.put(part[0], part[1]);
            } else if (!line.isEmpty() && !line.startsWith("#")) {
                String[] head = line.split(" ");
                parts = new HashMap<>(
                        Map.of("severity", head[1], "actor", head[2], "category", head[3], "eventReason", head[0]));
                all.put(head[0], parts);
                for (String field : Arrays.asList(head).subList(4, head.length)) {
                    parts.put(field.substring(0, field.indexOf('=')), field.substring(field.indexOf('=') + 1));
                }
            }
        }
        Map<String, ReasonDescription> read = new HashMap<>();
        all.forEach((name, found) -> read.put(name, of(found)));
        return Map.copyOf(read);
    }

    private static ReasonDescription of(Map<String, String> parts) {
        String link = parts.get("link");
        return new ReasonDescription(
                constant(Severity.class, parts.getOrDefault("severity", "")),
                constant(Actor.class, parts.getOrDefault("actor", "")),
                constant(Category.class, parts.getOrDefault("category", "")),
                list(parts.get("at")).map(ConditionTarget::of).toList(),
                list(parts.get("event"))
                        .map(kind -> constant(SubjectKind.class, kind))
                        .toList(),
                parts.getOrDefault("eventReason", ""),
                link == null ? null : constant(LinkName.class, link),
                Map.copyOf(parts));
    }

    private static Stream<String> list(@Nullable String field) {
        return field == null ? Stream.empty() : Arrays.stream(field.split(","));
    }

    private static <E extends Enum<E>> E constant(Class<E> type, String word) {
        return Enum.valueOf(type, word.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    private String part(String name) {
        return parts.getOrDefault(name, "");
    }

    private String withoutCluster(String name) {
        return part(name).replace(WORKER, "");
    }

    private String kind() {
        return withoutCluster("object").split(" ", 2)[0];
    }

    /** Whether the hub cannot or must not write; missing objects are its consequence. */
    public boolean stopsWrites() {
        return part("writes").equals("stopped");
    }

    /** Whether it follows from one that stops writes, if there is one. */
    public boolean isMissingWrite() {
        return part("writes").equals("missing");
    }

    /** When it is set, one clause. */
    public String setWhen() {
        return part("set");
    }

    /** When it is cleared, one clause. */
    public String clearedWhen() {
        return part("cleared");
    }

    /** What it means for nodes that start now, one sentence. */
    public String newNodes() {
        return parts.getOrDefault("nodes", "they start normally") + ".";
    }

    /** The parts of its problem with variables in braces, as in a message. */
    public String template() {
        return "{tenant}: " + withoutCluster("object")
                + (part("field").isEmpty() ? "" : ", " + part("field"))
                + (part("position").isEmpty() ? "" : " line " + part("position"))
                + ": " + part("cause")
                + (part("fix").isEmpty() ? "" : "; " + part("fix"))
                + (part("command").isEmpty() ? "" : ": " + withoutCluster("command"));
    }

    /** Fills all parts; {@code {fix}} may be left out. */
    Problem fill(Reason reason, Map<String, String> given) {
        Map<String, String> values = new HashMap<>(Map.of("tenant", "hub", "fix", ""));
        values.putAll(given);
        SourcePosition position = part("position").isEmpty()
                ? SourcePosition.NONE
                : new SourcePosition(
                        Integer.parseInt(values.getOrDefault("line", "0")),
                        Integer.parseInt(values.getOrDefault("column", "0")));
        return new Problem(
                        reason,
                        new Problem.Scope(
                                MessageFormatter.sanitize(values.getOrDefault("tenant", "")),
                                values.getOrDefault("wc", "")),
                        object(values),
                        MessageFormatter.fill(part("field"), values),
                        position,
                        MessageFormatter.fill(part("cause"), values),
                        MessageFormatter.fill(part("fix"), values),
                        Command.NONE,
                        actor,
                        link)
                .completed(values);
    }

    private ProblemObject object(Map<String, String> values) {
        String text = MessageFormatter.fill(withoutCluster("object"), values);
        String kind = MessageFormatter.fill(kind(), values);
        if (Character.isLowerCase(kind().charAt(0))) {
            return ProblemObject.input(text);
        }
        String name = text.substring(kind.length() + 1);
        return part("object").startsWith(WORKER) ? ProblemObject.inWorker(kind, name) : ProblemObject.of(kind, name);
    }

    /** The command for a problem; {@link Command#NONE} if there is none, or if the problem is about another kind of object. */
    Command command(Problem problem, Map<String, String> given) {
        ProblemObject object = problem.object();
        boolean sameKind = kind().startsWith("{")
                || object.kind().isEmpty()
                || object.kind().equals(kind());
        if (part("command").isEmpty() || !sameKind) {
            return Command.NONE;
        }
        String tenant = problem.scope().tenant();
        Map<String, String> values = new HashMap<>(Map.of(
                "tenant",
                tenant,
                "wc",
                problem.scope().workerCluster(),
                "namespace",
                object.namespace().isEmpty() ? tenant : object.namespace()));
        values.putAll(given);
        values.put("name", object.name());
        return Command.fill(
                part("command").startsWith(WORKER) ? Cluster.WORKER : Cluster.MANAGEMENT,
                withoutCluster("command"),
                values::get);
    }
}
