package io.osmhub.core.render;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.golang.wellknown.GoDuration;
import io.osmhub.core.problem.MessageFormatter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a kubelet accepts in its configuration, from {@code kubelet-configuration.txt}. Other fields are not checked. */
public final class KubeletConfigRules {
    private static final Map<String, FieldRule> RULES = readRules();

    /** What keeps the kubelet from starting; {@code line} counts from 1, 0 if unknown. */
    public record KubeletConfigError(int line, String what) {}

    private record FieldRule(String description, Pattern json) {}

    private KubeletConfigRules() {}

    private static Map<String, FieldRule> readRules() {
        try (InputStream file = KubeletConfigRules.class.getResourceAsStream("kubelet-configuration.txt")) {
            List<String> lines = new String(Objects.requireNonNull(file).readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
            Map<String, FieldRule> rules = new HashMap<>();
            for (int i = 0; i < lines.size(); i += 3) {
                FieldRule rule = new FieldRule(lines.get(i), Pattern.compile(lines.get(i + 1), Pattern.DOTALL));
                List.of(lines.get(i + 2).split(" ")).forEach(field -> rules.put(field, rule));
            }
            return rules;
        } catch (IOException e) {
            throw new UncheckedIOException("a part of this program", e);
        }
    }

    /** Whether a file's text says that it is a KubeletConfiguration. */
    public static boolean appliesTo(String text) {
        return text.contains("KubeletConfiguration")
                && text.lines()
                        .filter(line -> line.contains("KubeletConfiguration"))
                        .map(line -> line.replaceAll("[\"' ,]", ""))
                        .anyMatch("kind:KubeletConfiguration"::equals);
    }

    /** The fields that a supported kubelet has at the top, among others. */
    public static Set<String> fields() {
        return RULES.keySet();
    }

    /** Checks a KubeletConfiguration. */
    public static List<KubeletConfigError> check(DocumentNode root) {
        if (!(root instanceof DocumentNode.Fields fields)) {
            return List.of(new KubeletConfigError(0, "must be an object, not " + root.describe()));
        }
        List<KubeletConfigError> errors = new ArrayList<>();
        fields.fields().forEach(field -> check(field.name(), field.name(), field.value(), errors));
        if (errors.isEmpty()) {
            findConflicts(name -> fields.get(name) instanceof DocumentNode.Scalar value ? value.text() : "")
                    .forEach(conflict -> errors.add(new KubeletConfigError(0, conflict)));
        }
        return errors;
    }

    private static void check(String rule, String path, DocumentNode value, List<KubeletConfigError> errors) {
        if (!RULES.containsKey(rule)) {
            return;
        }
        String found =
                switch (value) {
                    case DocumentNode.Scalar scalar
                    when scalar.kind() == DocumentNode.Kind.TEXT -> quote(scalar.text());
                    case DocumentNode.Scalar scalar -> scalar.text();
                    case DocumentNode.Items _, DocumentNode.Fields _ -> value.describe();
                };
        String error = found.isEmpty() ? null : findError(rule, found);
        int line = value.position().line();
        if (error != null) {
            errors.add(new KubeletConfigError(line, path + " " + error));
        } else if (value instanceof DocumentNode.Items items) {
            items.nodes().forEach(item -> check(rule + "[]", path, item, errors));
        } else if (value instanceof DocumentNode.Fields map) {
            for (DocumentNode.Field entry : map.fields()) {
                String wrong = findError(rule + "{}", quote(entry.name()));
                if (wrong != null) {
                    errors.add(new KubeletConfigError(line, path + ": " + quote(entry.name()) + " " + wrong));
                }
                check(rule + "[]", path + "[" + entry.name() + "]", entry.value(), errors);
            }
        }
    }

    static String quote(String text) {
        return "\"" + text + "\"";
    }

    /** What is wrong with JSON text for a rule, or with a description such as "a list"; null if nothing. */
    static @Nullable String findError(String rule, String json) {
        FieldRule wanted = RULES.get(rule);
        return wanted == null
                        || wanted.description().equals(json)
                        || wanted.json().matcher(json).matches()
                ? null
                : "must be " + wanted.description() + ", not " + MessageFormatter.quote(json);
    }

    /** The contradictions between valid values, by field; empty for the kubelet's default. */
    static List<String> findConflicts(UnaryOperator<String> values) {
        List<String> conflicts = new ArrayList<>();
        String high = values.apply("imageGCHighThresholdPercent");
        String low = values.apply("imageGCLowThresholdPercent");
        if (Integer.parseInt(low.isEmpty() ? "80" : low) >= Integer.parseInt(high.isEmpty() ? "85" : high)) {
            conflicts.add("imageGCLowThresholdPercent (" + (low.isEmpty() ? "default 80" : low)
                    + ") must be less than imageGCHighThresholdPercent (" + (high.isEmpty() ? "default 85" : high)
                    + ")");
        }
        String least = values.apply("imageMinimumGCAge");
        long most = nanoseconds(values.apply("imageMaximumGCAge"));
        if (most > 0 && most <= nanoseconds(least.isEmpty() ? "2m" : least)) {
            conflicts.add("imageMaximumGCAge must be greater than imageMinimumGCAge"
                    + (least.isEmpty() ? " (default 2m)" : ""));
        }
        return conflicts;
    }

    /** 0 for what is no duration. */
    private static long nanoseconds(String value) {
        try {
            return GoDuration.parse(GoString.bytes(value));
        } catch (GoCallException e) {
            return 0;
        }
    }
}
