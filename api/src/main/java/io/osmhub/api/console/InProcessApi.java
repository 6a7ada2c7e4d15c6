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

/** Executes API operations in this process on behalf of the page's user: pages and API share every decision. */
final class InProcessApi {
    private static final TypeReference<Map<String, Object>> TREE = new TypeReference<>() {};

    private final Map<String, Operation> operations;

    InProcessApi(List<Operation> operations) {
        this.operations = operations.stream().collect(Collectors.toUnmodifiableMap(Operation::id, Function.identity()));
    }

    /** One request. Callers provide values that fit the contract, because forms and links are built here. */
    static final class OperationRequest {
        private final String operation;
        private final Map<String, String> path = new LinkedHashMap<>();
        private final Map<String, List<String>> query = new LinkedHashMap<>();
        private @Nullable JsonNode body;

        OperationRequest(String operation) {
            this.operation = operation;
        }

        OperationRequest path(String name, String value) {
            path.put(name, value);
            return this;
        }

        /** A query parameter; empty values are omitted. */
        OperationRequest query(String name, String value) {
            if (!value.isEmpty()) {
                query.computeIfAbsent(name, ignored -> new ArrayList<>()).add(value);
            }
            return this;
        }

        /** A body in the contract's form. */
        OperationRequest body(Map<String, ?> tree) {
            body = ApiJson.server().valueToTree(tree);
            return this;
        }
    }

    /** The response, as the API would send it. */
    ReplyTree call(Call from, OperationRequest question) throws ApiProblem {
        return tree(reply(from, question));
    }

    /** The response; empty if the object is absent or not visible to the caller. */
    Optional<ReplyTree> callIfAllowed(Call from, OperationRequest question) throws ApiProblem {
        try {
            return Optional.of(call(from, question));
        } catch (ApiProblem refused) {
            if (refused.type() == ProblemType.NOT_FOUND || refused.type() == ProblemType.FORBIDDEN) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    /** The full reply, with its headers. */
    Reply reply(Call from, OperationRequest question) throws ApiProblem {
        Operation operation = operations.get(question.operation);
        if (operation == null) {
            throw new IllegalStateException("no operation " + question.operation);
        }
        return operation.execute(new InProcessCall(from, question));
    }

    static ReplyTree tree(Reply reply) {
        return reply.body() == null
                ? ReplyTree.NONE
                : new ReplyTree(ApiJson.server().convertValue(reply.body(), TREE));
    }

    /** The request as the operation receives it: the caller's own, with other parameters. */
    private record InProcessCall(Call from, OperationRequest question) implements Call {
        @Override
        public Caller caller() {
            return from.caller();
        }

        @Override
        public String path(String name) {
            String value = question.path.get(name);
            if (value == null) {
                throw new IllegalStateException(question.operation + " was called without " + name);
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
        public Map<String, String> credentials() {
            return from.credentials();
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
