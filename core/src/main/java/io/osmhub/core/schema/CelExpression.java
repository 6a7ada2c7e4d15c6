package io.osmhub.core.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.osmhub.core.model.IpAddress;
import io.osmhub.core.model.UrlHost;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A rule of {@code x-kubernetes-validations}, evaluated without an API server and with equal results. Supports the part of CEL that
 * the hub's rules use: literals, lists, {@code && || ! == != < <= > >= in}, {@code has}, {@code all} and {@code filter}, and the
 * functions below; {@code isIP}, {@code isURL} and {@code url} are Kubernetes' own (1.31).
 */
final class CelExpression {
    private static final Pattern TOKEN =
            Pattern.compile("\\s*('[^']*'|[0-9]+|[A-Za-z_][A-Za-z0-9_]*|&&|\\|\\||[=!<>]=|[!<>().,\\[\\]])");
    /** Of two operands, by ascending precedence. */
    private static final List<Set<String>> OPERATORS =
            List.of(Set.of("||"), Set.of("&&"), Set.of("==", "!=", "<", "<=", ">", ">=", "in"));

    private static final Map<String, CelExpression> COMPILED = new ConcurrentHashMap<>();
    private static final Map<String, Pattern> PATTERNS = new ConcurrentHashMap<>();

    /** A compiled part of an expression. */
    private interface Term {
        Object value(Map<String, Object> variables);
    }

    private final List<String> tokens = new ArrayList<>();
    private int at;
    private final Term rootTerm;

    private CelExpression(String expression) {
        Matcher token = TOKEN.matcher(expression);
        int end = 0;
        while (token.find(end) && token.start() == end) {
            tokens.add(token.group(1));
            end = token.end();
        }
        rootTerm = operation(0);
        if (end < expression.length() || at < tokens.size()) {
            throw new IllegalArgumentException("unsupported expression: " + expression);
        }
    }

    /**
     * Whether a value satisfies a rule. Evaluated only for values that fit their schema.
     *
     * @param before the value before an update; null if it is new. A rule about the transition is then satisfied
     * @throws IllegalArgumentException if the rule uses a part of CEL that is not supported
     */
    static boolean holds(String expression, JsonNode self, @Nullable JsonNode before) {
        CelExpression rule = compile(expression);
        if (before == null) {
            return rule.tokens.contains("oldSelf") || isTrue(rule.rootTerm, Map.of("self", scalar(self)));
        }
        return isTrue(rule.rootTerm, Map.of("self", scalar(self), "oldSelf", scalar(before)));
    }

    /** @throws IllegalArgumentException if the rule uses a part of CEL that is not supported */
    static CelExpression compile(String expression) {
        return COMPILED.computeIfAbsent(expression, CelExpression::new);
    }

    /** Whether a pattern occurs in a text, as for Go. */
    static boolean matches(String text, String pattern) {
        return PATTERNS.computeIfAbsent(pattern, Pattern::compile).matcher(text).find();
    }

    private Term operation(int precedence) {
        if (precedence == OPERATORS.size()) {
            return operand();
        }
        Term left = operation(precedence + 1);
        while (at < tokens.size() && OPERATORS.get(precedence).contains(tokens.get(at))) {
            String operator = next();
            Term first = left;
            Term second = operation(precedence + 1);
            left = variables -> apply(operator, first, second, variables);
        }
        return left;
    }

    private Term operand() {
        if (accept("!")) {
            Term negated = operand();
            return variables -> !isTrue(negated, variables);
        }
        Term term = primary();
        while (accept(".")) {
            String name = next();
            Term target = term;
            if (!accept("(")) {
                term = variables -> scalar(((JsonNode) target.value(variables)).path(name));
            } else if (name.equals("all") || name.equals("filter")) {
                term = comprehension(target, name.equals("all"));
            } else {
                List<Term> arguments = terms(")");
                term = variables -> call(name, target.value(variables), values(arguments, variables));
            }
        }
        return term;
    }

    private Term comprehension(Term target, boolean all) {
        String variable = next();
        expect(",");
        Term condition = operation(0);
        expect(")");
        return variables -> {
            List<Object> items = items(target.value(variables));
            List<Object> kept = items.stream()
                    .filter(item -> isTrue(condition, Map.of(variable, item)))
                    .toList();
            return all ? kept.size() == items.size() : kept;
        };
    }

    private Term primary() {
        if (accept("(")) {
            Term inner = operation(0);
            expect(")");
            return inner;
        }
        if (accept("[")) {
            List<Term> items = terms("]");
            return variables -> values(items, variables);
        }
        String token = next();
        if (token.startsWith("'") || Character.isDigit(token.charAt(0))) {
            Object constant = token.startsWith("'") ? token.substring(1, token.length() - 1) : Long.valueOf(token);
            return variables -> constant;
        }
        if (accept("(")) {
            List<Term> arguments = terms(")");
            return variables -> call(token, values(arguments, variables).getFirst(), List.of());
        }
        return variables -> Objects.requireNonNull(variables.get(token), token);
    }

    private List<Term> terms(String end) {
        List<Term> terms = new ArrayList<>();
        while (!accept(end)) {
            if (!terms.isEmpty()) {
                expect(",");
            }
            terms.add(operation(0));
        }
        return terms;
    }

    private boolean accept(String token) {
        boolean found = at < tokens.size() && tokens.get(at).equals(token);
        at += found ? 1 : 0;
        return found;
    }

    private void expect(String token) {
        if (!accept(token)) {
            throw new IllegalArgumentException("expected " + token + " in the rule " + String.join(" ", tokens));
        }
    }

    private String next() {
        if (at == tokens.size()) {
            throw new IllegalArgumentException("incomplete rule: " + String.join(" ", tokens));
        }
        return tokens.get(at++);
    }

    // Evaluating

    private static boolean isTrue(Term term, Map<String, Object> variables) {
        return (boolean) term.value(variables);
    }

    private static List<Object> values(List<Term> terms, Map<String, Object> variables) {
        return terms.stream().map(term -> term.value(variables)).toList();
    }

    /** A node as a value of CEL; objects, lists and missing values stay nodes. */
    private static Object scalar(JsonNode node) {
        return switch (node.getNodeType()) {
            case STRING -> node.textValue();
            case BOOLEAN -> node.booleanValue();
            case NUMBER -> node.longValue();
            default -> node;
        };
    }

    /** What a comprehension visits: the items of a list, the keys of a map. */
    private static List<Object> items(Object collection) {
        return collection instanceof JsonNode map
                ? List.copyOf(map.propertyStream().map(Map.Entry::getKey).toList())
                : List.copyOf((List<?>) collection);
    }

    private static boolean apply(String operator, Term first, Term second, Map<String, Object> variables) {
        return switch (operator) {
            case "||" -> isTrue(first, variables) || isTrue(second, variables);
            case "&&" -> isTrue(first, variables) && isTrue(second, variables);
            case "==" -> first.value(variables).equals(second.value(variables));
            case "!=" -> !first.value(variables).equals(second.value(variables));
            case "in" -> ((List<?>) second.value(variables)).contains(first.value(variables));
            default -> {
                @SuppressWarnings(
                        "unchecked") // both sides have one type, as the API server checks when it reads the rule
                int order = ((Comparable<Object>) first.value(variables)).compareTo(second.value(variables));
                yield order == 0 ? operator.endsWith("=") : operator.startsWith(order < 0 ? "<" : ">");
            }
        };
    }

    private static Object call(String function, Object target, List<Object> arguments) {
        return switch (function) {
            case "has" -> !(target instanceof JsonNode node && node.isMissingNode());
            case "size" ->
                target instanceof String text
                        ? (long) text.codePointCount(0, text.length())
                        : (long) items(target).size();
            case "matches" -> matches((String) target, (String) arguments.getFirst());
            case "contains" -> ((String) target).contains((String) arguments.getFirst());
            case "startsWith" -> ((String) target).startsWith((String) arguments.getFirst());
            case "duration" -> Objects.requireNonNull(DurationFormat.parse((String) target));
            case "isIP" -> isIp((String) target);
            case "isURL" -> hostOfUrl((String) target) != null;
            // A rule reads the host of a URL only.
            case "url" -> target;
            case "getHostname" -> Objects.requireNonNull(hostOfUrl((String) target));
            default -> throw new IllegalArgumentException("unsupported function: " + function);
        };
    }

    /** IPv4 in four decimal parts without leading zeros, or IPv6 without a zone and not IPv4-mapped. */
    private static boolean isIp(String text) {
        IpAddress address = IpAddress.parse(text);
        return address != null && !(text.indexOf(':') >= 0 && address.isV4());
    }

    /** The host of an absolute URL, without port and brackets, empty if none; null if it is not a URL or absolute path. */
    private static @Nullable String hostOfUrl(String text) {
        // CEL has no fragments: after the authority a # is part of the path, in it an error.
        UrlHost host = UrlHost.parse(text.replace("#", "%23"));
        boolean isAbsolute = text.startsWith("/") || text.indexOf(":/") >= 0 && text.indexOf(":/") < text.indexOf('/');
        return host == null || !isAbsolute ? null : host.name();
    }
}
