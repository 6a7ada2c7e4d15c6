package io.osmhub.api.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.Mistake;
import io.osmhub.api.problem.Mistake.In;
import io.osmhub.core.problem.Suggestion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A request that fits its operation: every value is as the contract wants it, what it gives as default is filled in. */
public final class CheckedRequest {
    private static final int MOST_MISTAKES = 100;

    private final Map<String, String> path = new HashMap<>();
    private final Map<String, String> query = new HashMap<>();
    private final Map<String, List<String>> lists = new HashMap<>();
    private JsonNode body = MissingNode.getInstance();

    private CheckedRequest() {}

    /** @throws ApiProblem with every mistake of the request */
    public static CheckedRequest of(ContractOperation operation, RequestFacts facts) throws ApiProblem {
        CheckedRequest request = new CheckedRequest();
        List<Mistake> mistakes = new ArrayList<>();
        request.readPath(operation, facts.path(), mistakes);
        request.readQuery(operation, facts.query(), mistakes);
        for (Parameter parameter : operation.parameters()) {
            if (parameter.isIn(In.HEADER)) {
                checkHeader(parameter, facts.headers().apply(parameter.name()), mistakes);
            }
        }
        List<Mistake> ofBody = request.readBody(operation, facts.body(), mistakes);
        if (!mistakes.isEmpty()) {
            mistakes.addAll(ofBody);
            throw ApiProblem.badRequest(limited(mistakes));
        }
        if (!ofBody.isEmpty()) {
            throw ApiProblem.validationFailed(limited(ofBody));
        }
        return request;
    }

    private static List<Mistake> limited(List<Mistake> mistakes) {
        return mistakes.subList(0, Math.min(mistakes.size(), MOST_MISTAKES));
    }

    private void readPath(ContractOperation operation, Map<String, String> sent, List<Mistake> mistakes) {
        for (Parameter parameter : operation.parameters()) {
            if (parameter.isIn(In.PATH)) {
                String raw = sent.getOrDefault(parameter.name(), "");
                QueryText.decode(raw, false)
                        .ifPresentOrElse(
                                value -> {
                                    mistakes.addAll(parameter.check(value));
                                    path.put(parameter.name(), value);
                                },
                                () -> mistakes.add(Mistake.path(
                                        parameter.name(),
                                        parameter.name() + " has a % that does not begin an escaped character of UTF-8",
                                        "escape a percent sign as %25")));
            }
        }
    }

    private void readQuery(ContractOperation operation, String raw, List<Mistake> mistakes) {
        Map<String, List<String>> sent = QueryText.read(raw, mistakes);
        List<Parameter> known =
                operation.parameters().stream().filter(p -> p.isIn(In.QUERY)).toList();
        Set<String> names = known.stream().map(Parameter::name).collect(Collectors.toSet());
        for (String name : sent.keySet()) {
            if (!names.contains(name)) {
                mistakes.add(Mistake.query(name, shown(name) + " is not a parameter here", cure(name, known)));
            }
        }
        for (Parameter parameter : known) {
            List<String> values = sent.getOrDefault(parameter.name(), List.of());
            if (values.isEmpty()) {
                if (parameter.required()) {
                    mistakes.add(Mistake.query(
                            parameter.name(), parameter.name() + " is missing", "add ?" + parameter.name() + "="));
                }
                parameter.defaultValue().ifPresent(value -> query.put(parameter.name(), value));
            } else if (values.size() > 1) {
                mistakes.add(Mistake.query(
                        parameter.name(),
                        parameter.name() + " is given " + values.size() + " times",
                        parameter.list() ? "separate its values by commas" : "give it once"));
            } else {
                String value = values.getFirst();
                mistakes.addAll(parameter.check(value));
                query.put(parameter.name(), value);
                lists.put(parameter.name(), parameter.parts(value));
            }
        }
    }

    private static String cure(String name, List<Parameter> known) {
        List<String> names = known.stream().map(Parameter::name).toList();
        return Suggestion.closest(name, names)
                .map(word -> "did you mean " + word + "?")
                .orElse(names.isEmpty() ? "leave it out" : "known are " + String.join(", ", names));
    }

    private static void checkHeader(Parameter parameter, List<String> values, List<Mistake> mistakes) {
        if (values.isEmpty()) {
            if (parameter.required()) {
                mistakes.add(Mistake.header(parameter.name(), parameter.name() + " is missing", "add the header"));
            }
        } else if (values.size() > 1) {
            mistakes.add(Mistake.header(
                    parameter.name(), parameter.name() + " is given " + values.size() + " times", "give it once"));
        } else {
            mistakes.addAll(parameter.check(values.getFirst()));
        }
    }

    private List<Mistake> readBody(ContractOperation operation, byte[] bytes, List<Mistake> mistakes) {
        if (!operation.takesBody()) {
            return List.of();
        }
        ContractOperation.Body rule = operation.body();
        try {
            body = StrictJson.read(bytes);
        } catch (ApiProblem problem) {
            mistakes.addAll(problem.mistakes());
            return List.of();
        }
        if (body.isMissingNode()) {
            if (rule.required()) {
                mistakes.add(Mistake.body("", "the body is missing", "send it as application/json"));
            }
            return List.of();
        }
        return rule.schema().mistakes(body).stream()
                .map(mistake -> Mistake.body(
                        mistake.pointer(),
                        (mistake.pointer().isEmpty() ? "the body" : shown(mistake.pointer())) + " " + mistake.detail(),
                        mistake.cure()))
                .distinct()
                .toList();
    }

    /** What a client named, short enough to be repeated. */
    private static String shown(String name) {
        int most = 200;
        return name.length() <= most ? name : name.substring(0, most) + "…";
    }

    /** A part of the path. */
    public String path(String name) {
        String value = path.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the path has no part " + name);
        }
        return value;
    }

    /** Parameters of the query with one value, by name. */
    public Map<String, String> query() {
        return query;
    }

    /** The values of a parameter that is a list; empty when it was not sent. */
    public List<String> list(String name) {
        return lists.getOrDefault(name, List.of());
    }

    /** A missing node when there is none. */
    public JsonNode body() {
        return body;
    }
}
