package io.osmhub.deploy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetListQuery;
import io.osmhub.deploy.fleet.FleetOptions;
import io.osmhub.deploy.fleet.HubClient;
import io.osmhub.deploy.fleet.JsonPathTemplate;
import io.osmhub.deploy.fleet.ObjectPrinter;
import io.osmhub.deploy.fleet.TerminalSanitizer;
import io.osmhub.deploy.view.ResourceAlias;
import io.osmhub.tenancy.client.ManagementAccess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * {@code hub __complete WORD...}: completes the last word in the protocol of Cobra, which shell scripts and kubectl use: one candidate
 * per line, then {@code :} and the sum of directives. Names come from the hub's API; if it does not respond in time, there are none.
 */
final class CommandCompletion {
    /** Hidden verb of Cobra's protocol. */
    static final String VERB = "__complete";

    private static final int NO_SPACE = 2;
    private static final int NO_FILES = 4;
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final int MOST_NAMES = 500;
    static final List<String> CONDITION_STATUSES = List.of("True", "False", "Unknown");

    private final CommandLine root;
    private final Map<String, String> candidates = new LinkedHashMap<>();
    private int directives = NO_FILES;

    /** A verb whose arguments are names of objects. */
    interface ObjectArguments {
        /**
         * The kind of the next argument; by default that of the first one.
         *
         * @param arguments those before it
         * @return null if it is not a name
         */
        default @Nullable ListableKind<?> nextKind(List<String> arguments) throws FleetFailure {
            return arguments.isEmpty() || arguments.getFirst().contains("/")
                    ? null
                    : ListableKind.of(ResourceAlias.of(arguments.getFirst()));
        }

        /** Whether the verb accepts {@code TENANT/NAME}. */
        default boolean acceptsTenants() {
            return true;
        }
    }

    /** Requests names from the hub. */
    @FunctionalInterface
    private interface NameRequest {
        List<String> send(HubClient hub, FleetEndpoint remote, FleetOptions options) throws FleetFailure;
    }

    private CommandCompletion(CommandLine root) {
        this.root = root;
    }

    /**
     * Prints the candidates.
     *
     * @param words after {@link #VERB}; the last is to be completed
     */
    static int run(Terminal terminal, CommandLine root, List<String> words) {
        CommandCompletion completion = new CommandCompletion(root);
        if (!words.isEmpty()) {
            completion.complete(words.subList(0, words.size() - 1), words.getLast());
        }
        completion.candidates.forEach((value, description) -> terminal.out()
                .println(TerminalSanitizer.sanitizeLine(value) + (description.isEmpty() ? "" : "\t" + description)));
        terminal.out().println(":" + completion.directives);
        return ExitCode.OK;
    }

    private void complete(List<String> words, String last) {
        CommandLine command = root;
        List<String> arguments = new ArrayList<>();
        OptionSpec open = null;
        boolean afterOptions = false;
        command.getCommandSpec().parser().collectErrors(true);
        for (String word : words) {
            if (open != null) {
                open = null;
            } else if (!afterOptions && word.equals("--")) {
                afterOptions = true;
            } else if (!afterOptions && word.startsWith("-")) {
                OptionSpec option = command.getCommandSpec().findOption(word);
                open = option != null && option.arity().min() > 0 ? option : null;
            } else if (arguments.isEmpty() && command.getSubcommands().containsKey(word)) {
                command = command.getSubcommands().get(word);
                command.getCommandSpec().parser().collectErrors(true);
            } else {
                arguments.add(word);
            }
        }
        // Sets the options, also if something else is missing or wrong.
        root.parseArgs(words.toArray(String[]::new));
        CommandSpec spec = command.getCommandSpec();
        int equals = last.indexOf('=');
        if (open != null) {
            addValues(spec, open, arguments, "", last);
        } else if (!afterOptions && last.startsWith("--") && equals > 0) {
            OptionSpec option = spec.findOption(last.substring(0, equals));
            if (option != null) {
                addValues(spec, option, arguments, last.substring(0, equals + 1), last.substring(equals + 1));
            }
        } else if (!afterOptions && last.startsWith("-")) {
            spec.options().stream()
                    .filter(option -> !option.hidden())
                    .forEach(option -> add(option.longestName(), last, summary(option.description())));
        } else {
            if (arguments.isEmpty()) {
                addVerbs(spec.userObject() instanceof CommandLine.HelpCommand ? root : command, last);
            }
            addArguments(spec, arguments, last);
        }
        if (candidates.keySet().stream().anyMatch(value -> value.endsWith("="))) {
            directives |= NO_SPACE;
        }
    }

    private void add(String value, String last, String description) {
        if (value.startsWith(last)) {
            candidates.putIfAbsent(value, description);
        }
    }

    private static String summary(String... description) {
        return description.length == 0 ? "" : description[0].replaceAll("\\s+", " ");
    }

    private void addVerbs(CommandLine command, String last) {
        command.getSubcommands().values().stream()
                .distinct()
                .map(CommandLine::getCommandSpec)
                .filter(verb -> !verb.usageMessage().hidden())
                .forEach(verb ->
                        add(verb.name(), last, summary(verb.usageMessage().description())));
    }

    private void addValues(CommandSpec spec, OptionSpec option, List<String> arguments, String prefix, String last) {
        if (option.longestName().equals("--context")) {
            addContexts(spec, prefix, last);
        } else if (option.longestName().equals("--field-selector")) {
            addFields(spec, arguments, prefix, last);
        } else if (option.paramLabel().equals("WHAT")) {
            addGoals(spec, arguments, prefix, last);
        } else if (option.paramLabel().equals("TENANT") || option.longestName().equals("--tenant")) {
            addNames(spec, prefix, last, (hub, remote, options) -> search(hub, ListableKind.CLUSTERS, "", last).stream()
                    .map(one -> one.metadata().namespace())
                    .toList());
        } else if (option.paramLabel().equals("KIND/NAME")) {
            addQualifiedNames(spec, prefix, last);
        } else {
            addStatic(option, prefix, last);
        }
    }

    private void addContexts(CommandSpec spec, String prefix, String last) {
        try {
            ManagementAccess.contexts(managementKubeconfig(spec))
                    .forEach(name -> add(prefix + name, prefix + last, ""));
        } catch (IOException e) {
            // No kubeconfig: no contexts.
        }
    }

    /** The last of {@code FIELD=VALUE,FIELD=VALUE}. */
    private void addFields(CommandSpec spec, List<String> arguments, String prefix, String last) {
        ListableKind<?> kind = kind(spec, arguments);
        if (kind != null) {
            int comma = last.lastIndexOf(',') + 1;
            int equals = last.indexOf('=', comma);
            if (equals < 0) {
                String others = prefix + last.substring(0, comma);
                kind.filters().stream().sorted().forEach(field -> add(others + field + "=", prefix + last, ""));
            } else {
                String field = last.substring(comma, equals);
                String value = last.substring(equals + 1);
                addValues(
                        spec,
                        kind,
                        field,
                        prefix + last.substring(0, equals + 1),
                        value,
                        one -> field.equals("kubernetesVersion")
                                ? Stream.of(one.findPath(field).asText().replaceFirst("^v?([0-9]+\\.[0-9]+).*", "$1"))
                                : one.findValuesAsText(field).stream());
            }
        }
    }

    /**
     * {@code condition=TYPE=STATUS} and {@code jsonpath=PATH=VALUE}. Offers paths without braces, which zsh does not complete, unless the
     * user typed one.
     */
    private void addGoals(CommandSpec spec, List<String> arguments, String prefix, String last) {
        ListableKind<?> kind = kind(spec, arguments);
        int type = last.indexOf('=') + 1;
        int value = last.indexOf('=', last.startsWith("jsonpath={") ? last.indexOf('}') : type) + 1;
        if (type == 0) {
            List.of("condition=", "jsonpath=").forEach(word -> add(prefix + word, prefix + last, ""));
        } else if (value > type && last.startsWith("condition=")) {
            CONDITION_STATUSES.forEach(status -> add(prefix + last.substring(0, value) + status, prefix + last, ""));
        } else if (kind != null && value > type) {
            String path = last.substring(type, value - 1);
            String field = path.replaceAll("[{}]|.*[.]", "");
            addValues(spec, kind, field, prefix + last.substring(0, value), last.substring(value), one -> {
                try {
                    return JsonPathTemplate.parseExpression(path).find(one).stream()
                            .map(JsonNode::asText);
                } catch (FleetFailure e) {
                    return Stream.of();
                }
            });
        } else if (kind != null) {
            addValues(
                    spec,
                    kind,
                    "",
                    prefix + last.substring(0, type),
                    last.substring(type),
                    one -> last.startsWith("condition=")
                            ? one.findValues("conditions").stream()
                                    .flatMap(all -> all.findValuesAsText("type").stream())
                            : paths("", one)
                                    .map(path -> (last.startsWith("jsonpath={") ? "{" + path + "}" : path) + "="));
        }
    }

    /** The paths of texts, numbers and booleans outside arrays. */
    private static Stream<String> paths(String path, JsonNode node) {
        return node.isValueNode()
                ? Stream.of(path)
                : node.properties().stream()
                        .filter(field -> field.getKey().matches("\\w+"))
                        .flatMap(field -> paths(path + "." + field.getKey(), field.getValue()));
    }

    /** Adds the known values of a field and, if there are none, those of the hub's objects. */
    private void addValues(
            CommandSpec spec,
            ListableKind<?> kind,
            String field,
            String prefix,
            String last,
            Function<JsonNode, Stream<String>> values) {
        List<String> known = kind.fieldValues(field);
        known.forEach(value -> add(prefix + value, prefix + last, ""));
        if (known.isEmpty()) {
            addNames(
                    spec,
                    prefix,
                    last,
                    (hub, remote, options) ->
                            kind
                                    .list(
                                            hub,
                                            new FleetListQuery(options.scope(remote), "", Map.of(), "", "", MOST_NAMES))
                                    .stream()
                                    .map(ObjectPrinter::tree)
                                    .flatMap(values)
                                    .toList());
        }
    }

    /** The kind of the objects that a verb lists; null if it is not given yet. */
    private static @Nullable ListableKind<?> kind(CommandSpec spec, List<String> arguments) {
        try {
            return spec.userObject() instanceof ClusterCommand.ListAll
                    ? ListableKind.CLUSTERS
                    : arguments.isEmpty()
                            ? null
                            : ListableKind.of(
                                    ResourceAlias.of(arguments.getFirst().replaceFirst("/.*", "")));
        } catch (FleetFailure e) {
            return null;
        }
    }

    private void addArguments(CommandSpec spec, List<String> arguments, String last) {
        for (PositionalParamSpec argument : spec.positionalParameters()) {
            if (argument.index().contains(arguments.size())) {
                if (spec.userObject() instanceof ObjectArguments verb) {
                    addNames(spec, verb, arguments, last);
                }
                if (argument.paramLabel().equals("KIND") && last.contains("/")) {
                    addQualifiedNames(spec, "", last);
                }
                addStatic(argument, "", last);
            }
        }
    }

    private void addNames(CommandSpec spec, ObjectArguments verb, List<String> arguments, String last) {
        try {
            ListableKind<?> kind = verb.nextKind(arguments);
            if (kind != null) {
                addNames(
                        spec,
                        "",
                        last,
                        (hub, remote, options) ->
                                names(hub, kind, scope(kind, verb.acceptsTenants(), options, remote), last));
            }
        } catch (FleetFailure e) {
            // Not a kind: no names.
        }
    }

    private void addStatic(ArgSpec argument, String prefix, String last) {
        if (argument.completionCandidates() != null) {
            for (String value : argument.completionCandidates()) {
                add(prefix + value, prefix + last, "");
            }
        } else if (candidates.isEmpty() && Stream.of("FILE", "DIR").anyMatch(argument.paramLabel()::contains)) {
            directives = 0;
        }
    }

    /** {@code KIND/NAME}. */
    private void addQualifiedNames(CommandSpec spec, String prefix, String last) {
        int slash = last.indexOf('/');
        if (slash > 0) {
            String name = last.substring(slash + 1);
            addNames(spec, prefix + last.substring(0, slash + 1), name, (hub, remote, options) -> {
                ListableKind<?> kind = ListableKind.of(ResourceAlias.of(last.substring(0, slash)));
                return names(hub, kind, scope(kind, true, options, remote), name);
            });
        }
    }

    /** Errors are not printed: the shell would mix them into the command line that the user types. */
    private void addNames(CommandSpec spec, String prefix, String last, NameRequest request) {
        FleetOptions options = spec.mixins().values().stream()
                .map(CommandSpec::userObject)
                .filter(FleetOptions.class::isInstance)
                .map(FleetOptions.class::cast)
                .findFirst()
                .orElse(null);
        if (options == null) {
            return;
        }
        FutureTask<List<String>> work = new FutureTask<>(() -> {
            FleetEndpoint remote =
                    options.endpoint(managementKubeconfig(spec), KubectlPlugin.environment(spec), line -> {});
            try (HubClient hub = remote.openHub()) {
                return request.send(hub, remote, options);
            }
        });
        Thread thread = Thread.ofPlatform().daemon().start(work);
        try {
            work.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS).forEach(name -> add(prefix + name, prefix + last, ""));
        } catch (TimeoutException e) {
            thread.interrupt();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            // No names.
        }
    }

    private static @Nullable Path managementKubeconfig(CommandSpec spec) {
        return Stream.of("--management-kubeconfig", "--kubeconfig")
                .map(spec::findOption)
                .filter(Objects::nonNull)
                .findFirst()
                .map(option -> option.getValue() == null
                        ? null
                        : Path.of(option.getValue().toString()))
                .orElse(null);
    }

    private static String scope(
            ListableKind<?> kind, boolean acceptsTenants, FleetOptions options, FleetEndpoint remote)
            throws FleetFailure {
        if (!acceptsTenants) {
            return options.namespace(remote);
        }
        return kind == ListableKind.CLUSTERS ? options.namedTenant() : options.scope(remote);
    }

    private static <T> List<T> search(HubClient hub, ListableKind<T> kind, String tenant, String last)
            throws FleetFailure {
        String text = last.substring(last.lastIndexOf('/') + 1);
        return kind.list(hub, new FleetListQuery(tenant, "", Map.of(), text, "", MOST_NAMES));
    }

    /** Names that begin with {@code last}, with their tenant if there may be several; short forms only if no full one does. */
    private static <T> List<String> names(HubClient hub, ListableKind<T> kind, String tenant, String last)
            throws FleetFailure {
        List<String> full = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (T one : search(hub, kind, tenant, last)) {
            String owner = kind.tenant().apply(one);
            List<String> forms = kind.names().apply(one).stream()
                    .map(name -> tenant.isEmpty() && kind != ListableKind.PROBLEMS ? owner + "/" + name : name)
                    .toList();
            full.add(forms.getFirst());
            others.addAll(forms.subList(1, forms.size()));
        }
        return full.stream().anyMatch(name -> name.startsWith(last)) ? full : others;
    }
}
