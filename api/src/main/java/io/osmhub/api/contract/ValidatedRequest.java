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

/**
 * A request that conforms to its operation, with defaults filled in.
 *
 * @param path parameters of the path
 * @param query parameters of the query; several values of a list
 * @param body a missing node if there is none
 */
public record ValidatedRequest(Map<String, String> path, Map<String, List<String>> query, JsonNode body) {
    private static final int MOST_MISTAKES = 100;

    /** @throws ApiProblem with all errors of the request */
    public static ValidatedRequest validate(ContractOperation operation, RawRequest facts) throws ApiProblem {
        List<RequestError> mistakes = new ArrayList<>();
        Map<String, String> path = readPath(operation, facts.path(), mistakes);
        Map<String, List<String>> query = readQuery(operation, facts.query(), mistakes);
        for (ContractParameter parameter : operation.parameters()) {
            if (parameter.isIn(RequestPart.HEADER)) {
                checkHeader(parameter, facts.headers().apply(parameter.name()), mistakes);
            }
        }
        JsonNode body = MissingNode.getInstance();
        if (operation.hasBody()) {
            try {
                body = StrictJsonParser.parse(facts.body());
                if (body.isMissingNode() && operation.body().required()) {
                    mistakes.add(RequestError.body("", "the body is missing", "send it as application/json"));
                }
            } catch (ApiProblem problem) {
                mistakes.addAll(problem.mistakes());
            }
        }
        List<RequestError> ofBody = body.isMissingNode() ? List.of() : checkBody(operation, body);
        if (!mistakes.isEmpty()) {
            mistakes.addAll(ofBody);
            throw ApiProblem.badRequest(limited(mistakes));
        }
        if (!ofBody.isEmpty()) {
            throw ApiProblem.validationFailed(limited(ofBody));
        }
        return new ValidatedRequest(path, query, body);
    }

    private static List<RequestError> limited(List<RequestError> mistakes) {
        return mistakes.subList(0, Math.min(mistakes.size(), MOST_MISTAKES));
    }

    private static Map<String, String> readPath(
            ContractOperation operation, Map<String, String> sent, List<RequestError> mistakes) {
        Map<String, String> path = new HashMap<>();
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
        return path;
    }

    private static Map<String, List<String>> readQuery(
            ContractOperation operation, String raw, List<RequestError> mistakes) {
        Map<String, List<String>> query = new HashMap<>();
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
                parameter.defaultValue().ifPresent(value -> query.put(parameter.name(), parameter.splitValue(value)));
            } else if (values.size() > 1) {
                mistakes.add(RequestError.query(
                        parameter.name(),
                        parameter.name() + " is given " + values.size() + " times",
                        parameter.list() ? "separate its values by commas" : "give it once"));
            } else {
                String value = values.getFirst();
                mistakes.addAll(parameter.validate(value));
                query.put(parameter.name(), parameter.splitValue(value));
            }
        }
        return query;
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

    private static List<RequestError> checkBody(ContractOperation operation, JsonNode body) {
        return operation.body().schema().validate(body).stream()
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
