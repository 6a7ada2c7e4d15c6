package io.osmhub.api.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.RequestError;
import io.osmhub.api.problem.RequestError.RequestPart;
import io.osmhub.core.template.SpellingSuggestion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A request that conforms to its operation, with defaults filled in. */
public final class ValidatedRequest {
    private static final int MOST_MISTAKES = 100;

    private final Map<String, String> path = new HashMap<>();
    private final Map<String, String> query = new HashMap<>();
    private final Map<String, List<String>> lists = new HashMap<>();
    private JsonNode body = MissingNode.getInstance();

    private ValidatedRequest() {}

    /** @throws ApiProblem with all errors of the request */
    public static ValidatedRequest validate(ContractOperation operation, RawRequest facts) throws ApiProblem {
        ValidatedRequest request = new ValidatedRequest();
        List<RequestError> mistakes = new ArrayList<>();
        request.readPath(operation, facts.path(), mistakes);
        request.readQuery(operation, facts.query(), mistakes);
        for (ContractParameter parameter : operation.parameters()) {
            if (parameter.isIn(RequestPart.HEADER)) {
                checkHeader(parameter, facts.headers().apply(parameter.name()), mistakes);
            }
        }
        List<RequestError> ofBody = request.readBody(operation, facts.body(), mistakes);
        if (!mistakes.isEmpty()) {
            mistakes.addAll(ofBody);
            throw ApiProblem.badRequest(limited(mistakes));
        }
        if (!ofBody.isEmpty()) {
            throw ApiProblem.validationFailed(limited(ofBody));
        }
        return request;
    }

    private static List<RequestError> limited(List<RequestError> mistakes) {
        return mistakes.subList(0, Math.min(mistakes.size(), MOST_MISTAKES));
    }

    private void readPath(ContractOperation operation, Map<String, String> sent, List<RequestError> mistakes) {
        for (ContractParameter parameter : operation.parameters()) {
            if (parameter.isIn(RequestPart.PATH)) {
                String raw = sent.getOrDefault(parameter.name(), "");
                QueryDecoder.decode(raw, false)
                        .ifPresentOrElse(
                                value -> {
                                    mistakes.addAll(parameter.validate(value));
                                    path.put(parameter.name(), value);
                                },
                                () -> mistakes.add(RequestError.path(
                                        parameter.name(),
                                        parameter.name() + " has a % that does not start an escaped UTF-8 character",
                                        "escape a percent sign as %25")));
            }
        }
    }

    private void readQuery(ContractOperation operation, String raw, List<RequestError> mistakes) {
        Map<String, List<String>> sent = QueryDecoder.parse(raw, mistakes);
        List<ContractParameter> known = operation.parameters().stream()
                .filter(p -> p.isIn(RequestPart.QUERY))
                .toList();
        Set<String> names = known.stream().map(ContractParameter::name).collect(Collectors.toSet());
        for (String name : sent.keySet()) {
            if (!names.contains(name)) {
                mistakes.add(RequestError.query(
                        name, shown(name) + " is not a parameter of this operation", cure(name, known)));
            }
        }
        for (ContractParameter parameter : known) {
            List<String> values = sent.getOrDefault(parameter.name(), List.of());
            if (values.isEmpty()) {
                if (parameter.required()) {
                    mistakes.add(RequestError.query(
                            parameter.name(), parameter.name() + " is missing", "add ?" + parameter.name() + "="));
                }
                parameter.defaultValue().ifPresent(value -> query.put(parameter.name(), value));
            } else if (values.size() > 1) {
                mistakes.add(RequestError.query(
                        parameter.name(),
                        parameter.name() + " is given " + values.size() + " times",
                        parameter.list() ? "separate its values by commas" : "give it once"));
            } else {
                String value = values.getFirst();
                mistakes.addAll(parameter.validate(value));
                query.put(parameter.name(), value);
                lists.put(parameter.name(), parameter.splitValue(value));
            }
        }
    }

    private static String cure(String name, List<ContractParameter> known) {
        List<String> names = known.stream().map(ContractParameter::name).toList();
        return SpellingSuggestion.findClosest(name, names)
                .map(word -> "did you mean " + word + "?")
                .orElse(names.isEmpty() ? "leave it out" : "known are " + String.join(", ", names));
    }

    private static void checkHeader(ContractParameter parameter, List<String> values, List<RequestError> mistakes) {
        if (values.isEmpty()) {
            if (parameter.required()) {
                mistakes.add(RequestError.header(parameter.name(), parameter.name() + " is missing", "add the header"));
            }
        } else if (values.size() > 1) {
            mistakes.add(RequestError.header(
                    parameter.name(), parameter.name() + " is given " + values.size() + " times", "give it once"));
        } else {
            mistakes.addAll(parameter.validate(values.getFirst()));
        }
    }

    private List<RequestError> readBody(ContractOperation operation, byte[] bytes, List<RequestError> mistakes) {
        if (!operation.hasBody()) {
            return List.of();
        }
        ContractOperation.BodyContract rule = operation.body();
        try {
            body = StrictJsonParser.parse(bytes);
        } catch (ApiProblem problem) {
            mistakes.addAll(problem.mistakes());
            return List.of();
        }
        if (body.isMissingNode()) {
            if (rule.required()) {
                mistakes.add(RequestError.body("", "the body is missing", "send it as application/json"));
            }
            return List.of();
        }
        return rule.schema().validate(body).stream()
                .map(mistake -> RequestError.body(
                        mistake.pointer(),
                        (mistake.pointer().isEmpty() ? "the body" : shown(mistake.pointer())) + " " + mistake.detail(),
                        mistake.cure()))
                .distinct()
                .toList();
    }

    /** A client's name, shortened for messages. */
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

    /** The values of a list parameter; empty if absent. */
    public List<String> list(String name) {
        return lists.getOrDefault(name, List.of());
    }

    /** A missing node if there is none. */
    public JsonNode body() {
        return body;
    }

    /**
     * An unvalidated request.
     *
     * @param path raw path parameters by name
     * @param query raw, without the question mark
     * @param headers all values of a header
     * @param body empty if there is none
     */
    public record RawRequest(
            Map<String, String> path, String query, Function<String, List<String>> headers, byte[] body) {}
}
