package io.osmhub.core.airgap;

import com.google.re2j.Pattern;
import io.osmhub.core.airgap.ShellParser.Assignment;
import io.osmhub.core.airgap.ShellParser.Branch;
import io.osmhub.core.airgap.ShellParser.Case;
import io.osmhub.core.airgap.ShellParser.For;
import io.osmhub.core.airgap.ShellParser.Function;
import io.osmhub.core.airgap.ShellParser.Group;
import io.osmhub.core.airgap.ShellParser.Literal;
import io.osmhub.core.airgap.ShellParser.Node;
import io.osmhub.core.airgap.ShellParser.Part;
import io.osmhub.core.airgap.ShellParser.Pipeline;
import io.osmhub.core.airgap.ShellParser.Redirect;
import io.osmhub.core.airgap.ShellParser.Simple;
import io.osmhub.core.airgap.ShellParser.Substitution;
import io.osmhub.core.airgap.ShellParser.Variable;
import io.osmhub.core.airgap.ShellParser.Word;
import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Follows scripts through variables, functions, loops and pipes, without running anything, and passes each command to a listener.
 * All branches are followed, except those of a {@code case} whose subject is known. A value may therefore have alternatives. What
 * only the machine knows stays in a value as a marked reference.
 */
final class ShellTracer {
    /** Encloses a reference whose value is unknown. */
    static final char UNKNOWN = '\uE000';

    private static final int MOST_ALTERNATIVES = 64;
    private static final int MOST_DEPTH = 40;

    /** Receives what scripts do. A word is the list of its alternatives. */
    interface Listener {
        /** @param input what the command reads: here-document or output of the command before the pipe */
        void onCommand(String name, List<List<String>> arguments, List<String> input, int line);

        void onFileWritten(String path, List<String> lines, int line);
    }

    /** A script on the machine, or null if no script has this path. */
    interface ScriptFiles {
        @Nullable String find(String path);
    }

    private final MachineFacts facts;
    private final ScriptFiles files;
    private final Listener listener;
    private final NestingTracker nesting;
    private final Map<String, List<String>> variables = new HashMap<>();
    private final Map<String, List<String>> arrays = new HashMap<>();
    private final Map<String, Function> functions = new HashMap<>();
    private List<List<String>> positional = List.of();
    private int conditions;
    private int depth;
    /** Line of the script's own command while a function or sourced file runs; 0 outside. */
    private int callLine;

    /** @param nesting the limits of what is parsed and followed */
    ShellTracer(MachineFacts facts, ScriptFiles files, Listener listener, NestingTracker nesting) {
        this.facts = facts;
        this.files = files;
        this.listener = listener;
        this.nesting = nesting;
    }

    static boolean isKnown(String value) {
        return value.indexOf(UNKNOWN) < 0;
    }

    /** The value for users, with references as the script writes them. */
    static String readable(String value) {
        return value.replace(String.valueOf(UNKNOWN), "");
    }

    /** @throws LimitExceededException beyond the limits */
    void run(String script) {
        run(ShellParser.parse(script, nesting), List.of());
    }

    /** Follows commands. Returns the lines that they print. */
    private List<String> run(List<Node> nodes, List<String> input) {
        List<String> output = new ArrayList<>();
        nodes.forEach(node -> output.addAll(run(node, input)));
        return output.size() > 4 * MOST_ALTERNATIVES ? output.subList(0, 4 * MOST_ALTERNATIVES) : output;
    }

    private List<String> run(Node node, List<String> input) {
        nesting.charge(0);
        if (depth > MOST_DEPTH) {
            return List.of();
        }
        depth++;
        try {
            return switch (node) {
                case Simple simple -> simple(simple, input);
                case Pipeline(int ignored, List<Node> nodes) -> {
                    List<String> lines = input;
                    for (Node next : nodes) {
                        lines = run(next, lines);
                    }
                    yield lines;
                }
                case Group group -> {
                    conditions += group.conditional() ? 1 : 0;
                    List<String> read = input(group.redirects(), input);
                    List<String> output = redirect(run(group.nodes(), read), group.redirects(), group.line());
                    conditions -= group.conditional() ? 1 : 0;
                    yield output;
                }
                case For loop -> loop(loop, input);
                case Case choice -> choice(choice, input);
                case Function function -> {
                    functions.put(function.name(), function);
                    yield List.of();
                }
            };
        } finally {
            depth--;
        }
    }

    private List<String> loop(For loop, List<String> input) {
        List<String> output = new ArrayList<>();
        List<String> items = new ArrayList<>();
        words(loop.words()).forEach(items::addAll);
        for (String item : items) {
            variables.put(loop.variable(), List.of(item));
            output.addAll(run(loop.body(), input));
        }
        return redirect(output, loop.redirects(), loop.line());
    }

    private List<String> choice(Case choice, List<String> input) {
        List<String> subject = values(choice.subject());
        boolean known = subject.size() == 1 && isKnown(subject.getFirst());
        List<String> output = new ArrayList<>();
        for (Branch branch : choice.branches()) {
            boolean matches = branch.patterns().stream()
                    .flatMap(pattern -> values(pattern).stream())
                    .anyMatch(pattern -> matches(pattern, subject.getFirst()));
            if (known && matches) {
                return run(branch.body(), input);
            }
            if (!known) {
                conditions++;
                output.addAll(run(branch.body(), input));
                conditions--;
            }
        }
        return output;
    }

    private boolean matches(String pattern, String subject) {
        nesting.charge((long) pattern.length() * subject.length() / ShellParser.CHARS_PER_STEP, 0);
        StringBuilder regex = new StringBuilder();
        for (char c : pattern.toCharArray()) {
            regex.append(c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(String.valueOf(c)));
        }
        return Pattern.matches(regex.toString(), subject);
    }

    // Simple commands

    private List<String> simple(Simple simple, List<String> pipe) {
        conditions += simple.conditional() ? 1 : 0;
        try {
            simple.assignments().forEach(this::assign);
            List<List<String>> words = words(simple.words());
            List<String> input = input(simple.redirects(), pipe);
            int line = callLine > 0 ? callLine : simple.line();
            List<String> output = words.isEmpty() ? List.of() : command(words, input, line);
            return redirect(output, simple.redirects(), line);
        } finally {
            conditions -= simple.conditional() ? 1 : 0;
        }
    }

    private List<String> input(List<Redirect> redirects, List<String> pipe) {
        List<String> input = pipe;
        for (Redirect redirect : redirects) {
            if (!redirect.output()) {
                input = values(redirect.text()).stream().flatMap(String::lines).toList();
            }
        }
        return input;
    }

    private List<String> redirect(List<String> output, List<Redirect> redirects, int line) {
        for (Redirect redirect : redirects) {
            if (redirect.output()) {
                values(redirect.text())
                        .forEach(path -> listener.onFileWritten(path, output, callLine > 0 ? callLine : line));
                return List.of();
            }
        }
        return output;
    }

    private void assign(Assignment assignment) {
        if (assignment.array()) {
            List<String> items = new ArrayList<>();
            if (assignment.append()) {
                items.addAll(arrays.getOrDefault(assignment.name(), List.of()));
            }
            words(assignment.values()).forEach(items::addAll);
            nesting.charge(items.size(), 0);
            arrays.put(assignment.name(), items);
            return;
        }
        List<String> values = values(assignment.values().getFirst());
        List<String> before = variables.getOrDefault(assignment.name(), List.of());
        Set<String> all = new LinkedHashSet<>();
        if (conditions > 0) {
            all.addAll(before);
        }
        if (assignment.append()) {
            before.forEach(start -> values.forEach(end -> all.add(join(start, end))));
        } else {
            all.addAll(values);
        }
        if (all.size() > 1) {
            // Set before and changed by a condition, or only set by one: the empty value is not the one that matters.
            all.remove("");
        }
        variables.put(assignment.name(), all.stream().limit(MOST_ALTERNATIVES).toList());
    }

    private List<String> command(List<List<String>> words, List<String> input, int line) {
        int start = 0;
        while (start < words.size()) {
            String word = name(words.get(start));
            if (Set.of("sudo", "exec", "env", "nohup", "time", "command", "nice", "xargs", "!")
                            .contains(word)
                    && words.size() > start + 1
                    && !(word.equals("command") && first(words, start + 1).startsWith("-"))) {
                start++;
                while (start < words.size() - 1
                        && (first(words, start).startsWith("-")
                                || word.equals("env") && first(words, start).contains("="))) {
                    start++;
                }
            } else if (word.equals("timeout") && words.size() > start + 2) {
                start += 2;
            } else {
                break;
            }
        }
        String name = name(words.get(Math.min(start, words.size() - 1)));
        List<List<String>> arguments = words.subList(Math.min(start + 1, words.size()), words.size());
        Function function = functions.get(name);
        if (function != null) {
            return call(function, arguments, input, line);
        }
        switch (name) {
            case "source", "." -> {
                return arguments.isEmpty() ? List.of() : source(first(arguments, 0), line);
            }
            case "set" -> {
                if (!arguments.isEmpty() && first(arguments, 0).equals("--")) {
                    positional = List.copyOf(arguments.subList(1, arguments.size()));
                }
                return List.of();
            }
            case "shift" -> {
                positional = positional.isEmpty() ? positional : positional.subList(1, positional.size());
                return List.of();
            }
            case "bash", "sh", "eval" -> {
                int script = name.equals("eval") ? 0 : indexOf(arguments, "-c") + 1;
                if (script < arguments.size() && (script > 0 || name.equals("eval"))) {
                    return nested(first(arguments, script), input, line);
                }
                if (!arguments.isEmpty() && files.find(first(arguments, 0)) == null && !input.isEmpty()) {
                    return nested(String.join("\n", input), input, line);
                }
            }
            default -> {}
        }
        listener.onCommand(name, arguments, input, line);
        return output(name, arguments, input, line);
    }

    private static int indexOf(List<List<String>> arguments, String option) {
        for (int i = 0; i < arguments.size(); i++) {
            String argument = first(arguments, i);
            if (argument.equals(option) || argument.matches("-[a-z]*" + option.substring(1))) {
                return i;
            }
        }
        return -1;
    }

    /** Without its folder: {@code /usr/bin/curl} is curl. */
    private static String name(List<String> word) {
        String name = word.isEmpty() ? "" : word.getFirst();
        return name.substring(name.lastIndexOf('/') + 1);
    }

    private static String first(List<List<String>> words, int index) {
        List<String> alternatives = words.get(index);
        return alternatives.isEmpty() ? "" : alternatives.getFirst();
    }

    private List<String> call(Function function, List<List<String>> arguments, List<String> input, int line) {
        List<List<String>> before = positional;
        int lineBefore = callLine;
        positional = List.copyOf(arguments);
        callLine = line;
        List<String> output = run(function.body(), input);
        callLine = lineBefore;
        positional = before;
        return output;
    }

    private List<String> source(String path, int line) {
        if (path.endsWith("/os-release")) {
            facts.osRelease().forEach((name, value) -> variables.put(name, List.of(value)));
            return List.of();
        }
        String script = files.find(path);
        return script == null ? List.of() : nested(script, List.of(), line);
    }

    private List<String> nested(String script, List<String> input, int line) {
        int before = callLine;
        callLine = line;
        List<String> output = run(ShellParser.parse(script, nesting), input);
        callLine = before;
        return output;
    }

    /** What a command prints, as far as it follows from the script and the machine's operating system. */
    private List<String> output(String name, List<List<String>> arguments, List<String> input, int line) {
        List<String> words = arguments.stream()
                .map(word -> word.isEmpty() ? "" : word.getFirst())
                .toList();
        return switch (name) {
            case "echo" ->
                combine(arguments.stream()
                        .filter(word -> !List.of("-n", "-e").contains(word.isEmpty() ? "" : word.getFirst()))
                        .toList());
            case "printf" -> printf(arguments);
            case "cat" ->
                words.isEmpty() || words.equals(List.of("-"))
                        ? input
                        : List.of(unknown("$(cat " + String.join(" ", words) + ")"));
            case "tee" -> {
                words.stream()
                        .filter(word -> !word.startsWith("-"))
                        .forEach(path -> listener.onFileWritten(path, input, line));
                yield input;
            }
            case "tr" ->
                words.equals(List.of("[:upper:]", "[:lower:]"))
                        ? input.stream()
                                .map(text -> isKnown(text) ? text.toLowerCase(Locale.ROOT) : text)
                                .toList()
                        : unknownOutput(name, words);
            case "uname" -> words.equals(List.of("-m")) ? List.of(facts.machine()) : unknownOutput(name, words);
            case "lsb_release", "rpm" -> {
                String fact = facts.find(name + " " + String.join(" ", words));
                yield fact == null ? unknownOutput(name, words) : List.of(fact);
            }
            case "command" -> words.size() == 2 && words.getFirst().equals("-v") ? List.of(words.get(1)) : List.of();
            case "true", ":", "cd", "mkdir", "rm", "mv", "cp", "chmod", "systemctl", "return", "exit", "test", "[" ->
                List.of();
            default -> unknownOutput(name, words);
        };
    }

    private static List<String> unknownOutput(String name, List<String> words) {
        return List.of(unknown("$(" + name + (words.isEmpty() ? "" : " " + readable(String.join(" ", words))) + ")"));
    }

    private static List<String> printf(List<List<String>> arguments) {
        if (arguments.isEmpty()) {
            return List.of();
        }
        String format = first(arguments, 0).replace("\\n", "\n");
        StringBuilder text = new StringBuilder();
        int argument = 1;
        int copied = 0;
        for (int at = format.indexOf('%'); at >= 0 && at + 1 < format.length(); at = format.indexOf('%', at + 1)) {
            if ("sdq".indexOf(format.charAt(at + 1)) >= 0 && argument < arguments.size()) {
                text.append(format, copied, at).append(first(arguments, argument++));
                copied = at + 2;
            }
        }
        text.append(format, copied, format.length());
        return text.toString().lines().toList();
    }

    // Values

    /** Charged, because a few assignments can double a value many times. */
    private String join(String start, String end) {
        nesting.charge(start.length() + end.length());
        return start + end;
    }

    /** The words of a command. A word that is an array, or an unquoted variable with blanks, becomes several. */
    private List<List<String>> words(List<Word> words) {
        List<List<String>> result = new ArrayList<>();
        for (Word word : words) {
            if (word.parts().size() == 1
                    && word.parts().getFirst() instanceof Variable(String name, String operation, boolean quoted)) {
                if (name.equals("@") || name.equals("*")) {
                    nesting.charge(positional.size(), 0);
                    result.addAll(positional);
                    continue;
                }
                if (arrays.containsKey(name) && operation.startsWith("[")) {
                    nesting.charge(arrays.get(name).size(), 0);
                    arrays.get(name).forEach(item -> result.add(List.of(item)));
                    continue;
                }
                List<String> values = values(word);
                if (!quoted && values.size() == 1 && isKnown(values.getFirst())) {
                    for (String item : values.getFirst().split("\\s+")) {
                        if (!item.isEmpty()) {
                            result.add(List.of(item));
                        }
                    }
                    continue;
                }
            }
            List<String> values = values(word);
            boolean optional = word.parts().stream()
                    .anyMatch(part -> part instanceof Variable variable
                            && variable.operation().startsWith(":+"));
            if (!(optional && values.equals(List.of("")))) {
                result.add(values);
            }
        }
        return result;
    }

    private List<String> values(Word word) {
        List<List<String>> parts = new ArrayList<>();
        word.parts().forEach(part -> parts.add(values(part)));
        Set<String> all = new LinkedHashSet<>(Set.of(""));
        for (List<String> part : parts) {
            Set<String> longer = new LinkedHashSet<>();
            for (String start : all) {
                for (String end : part) {
                    if (longer.size() < MOST_ALTERNATIVES) {
                        longer.add(join(start, end));
                    }
                }
            }
            all = longer;
        }
        return List.copyOf(all);
    }

    private List<String> combine(List<List<String>> words) {
        List<String> all = List.of("");
        for (List<String> word : words) {
            List<String> longer = new ArrayList<>();
            for (String start : all) {
                word.stream()
                        .limit(Math.max(1, MOST_ALTERNATIVES / all.size()))
                        .forEach(end -> longer.add(start.isEmpty() ? end : join(start + " ", end)));
            }
            all = longer;
        }
        return all.stream().flatMap(String::lines).toList();
    }

    private List<String> values(Part part) {
        return switch (part) {
            case Literal(String text, boolean ignored) -> List.of(text);
            case Substitution(List<Node> nodes, String text, boolean ignored) -> {
                nesting.charge(variables.size(), 0);
                Map<String, List<String>> before = new HashMap<>(variables);
                List<String> lines = run(nodes, List.of());
                variables.clear();
                variables.putAll(before);
                yield lines.isEmpty()
                        ? List.of("")
                        : lines.stream().anyMatch(line -> !isKnown(line)) ? List.of(unknown(text)) : List.copyOf(lines);
            }
            case Variable(String name, String operation, boolean ignored) -> variable(name, operation);
        };
    }

    private List<String> variable(String name, String operation) {
        List<String> values = lookUp(name);
        boolean colon = operation.startsWith(":");
        String rest = colon ? operation.substring(1) : operation;
        boolean absent = values == null || colon && values.equals(List.of(""));
        if (rest.startsWith("-") || rest.startsWith("=")) {
            return absent ? expand(rest.substring(1)) : Objects.requireNonNull(values);
        }
        if (rest.startsWith("+")) {
            return absent ? List.of("") : expand(rest.substring(1));
        }
        String reference = operation.isEmpty() ? name : "{" + name + operation + "}";
        if (values == null || !operation.isEmpty() && !operation.startsWith("?") && !operation.startsWith("[")) {
            return List.of(unknown("$" + reference));
        }
        return values;
    }

    private List<String> expand(String text) {
        String unquoted = text.length() > 1 && text.startsWith("\"") && text.endsWith("\"")
                ? text.substring(1, text.length() - 1)
                : text;
        if (depth > MOST_DEPTH) {
            return List.of(unknown(unquoted));
        }
        depth++;
        try {
            return values(ShellParser.expandable(unquoted, 1, nesting));
        } finally {
            depth--;
        }
    }

    private @Nullable List<String> lookUp(String name) {
        if (!name.isEmpty() && name.chars().allMatch(Character::isDigit)) {
            int index = Integer.parseInt(name.length() > 3 ? "999" : name) - 1;
            return index >= 0 && index < positional.size() ? positional.get(index) : null;
        }
        return variables.get(name);
    }

    private static String unknown(String reference) {
        return UNKNOWN + reference.replace(String.valueOf(UNKNOWN), "") + UNKNOWN;
    }
}
