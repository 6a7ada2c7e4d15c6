package io.osmhub.api.console;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.osmhub.api.access.Caller;
import io.osmhub.api.http.Call;
import io.osmhub.api.http.Operation;
import io.osmhub.api.http.Reply;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.ProblemType;
import io.osmhub.api.schema.ApiJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Asks the operations of the API in this process, in the name of who looks at a page: what a page shows is decided by the same code
 * as what the API answers.
 */
final class Desk {
    private static final TypeReference<Map<String, Object>> TREE = new TypeReference<>() {};

    private final Map<String, Operation> operations;

    Desk(List<Operation> operations) {
        this.operations = operations.stream().collect(Collectors.toUnmodifiableMap(Operation::id, Function.identity()));
    }

    /** One question. Values are filled in by whoever asks; they fit the contract, because forms and links are made here. */
    static final class Question {
        private final String operation;
        private final Map<String, String> path = new LinkedHashMap<>();
        private final Map<String, List<String>> query = new LinkedHashMap<>();
        private @Nullable JsonNode body;

        Question(String operation) {
            this.operation = operation;
        }

        Question path(String name, String value) {
            path.put(name, value);
            return this;
        }

        /** A parameter of the query; an empty value is left out. */
        Question query(String name, String value) {
            if (!value.isEmpty()) {
                query.computeIfAbsent(name, ignored -> new ArrayList<>()).add(value);
            }
            return this;
        }

        /** A body as the contract has it. */
        Question body(Map<String, ?> tree) {
            body = ApiJson.server().valueToTree(tree);
            return this;
        }
    }

    /** The answer to a question, as the API would send it. */
    Answer ask(Call from, Question question) throws ApiProblem {
        return tree(reply(from, question));
    }

    /** The answer, or nothing where the caller may not have it, or it is not there. */
    Optional<Answer> askIfAllowed(Call from, Question question) throws ApiProblem {
        try {
            return Optional.of(ask(from, question));
        } catch (ApiProblem refused) {
            if (refused.type() == ProblemType.NOT_FOUND || refused.type() == ProblemType.FORBIDDEN) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    /** The whole reply, with its headers. */
    Reply reply(Call from, Question question) throws ApiProblem {
        Operation operation = operations.get(question.operation);
        if (operation == null) {
            throw new IllegalStateException("no operation " + question.operation);
        }
        return operation.answer(new Inner(from, question));
    }

    static Answer tree(Reply reply) {
        return reply.body() == null ? Answer.NONE : new Answer(ApiJson.server().convertValue(reply.body(), TREE));
    }

    /** A question as an operation sees it: the caller's own, with other parameters. */
    private record Inner(Call from, Question question) implements Call {
        @Override
        public Caller caller() {
            return from.caller();
        }

        @Override
        public String path(String name) {
            String value = question.path.get(name);
            if (value == null) {
                throw new IllegalStateException(question.operation + " was asked without " + name);
            }
            return value;
        }

        @Override
        public Optional<String> query(String name) {
            return Optional.ofNullable(question.query.get(name)).map(List::getFirst);
        }

        @Override
        public List<String> queryList(String name) {
            return question.query.getOrDefault(name, List.of());
        }

        @Override
        public Optional<String> header(String name) {
            return Optional.empty();
        }

        @Override
        public JsonNode body() {
            return question.body == null ? MissingNode.getInstance() : question.body;
        }

        @Override
        public String requestId() {
            return from.requestId();
        }

        @Override
        public String address() {
            return from.address();
        }

        @Override
        public Optional<String> session() {
            return from.session();
        }

        @Override
        public boolean dryRun() {
            return query("dryRun").isPresent();
        }

        @Override
        public String uri() {
            return from.uri();
        }
    }
}
