package io.osmhub.api.http;

import io.osmhub.api.problem.ApiProblem;
import java.util.List;

/** Operations that are asked by a page of the console and not over the API: their writes have audit lines too. */
public final class Audited {
    private static final int FAULT = 500;

    private Audited() {}

    /** The same operations; {@code on} false leaves them as they are. */
    public static List<Operation> operations(List<Operation> operations, boolean on) {
        AuditLog log = new AuditLog(on);
        return operations.stream().map(each -> audited(each, log)).toList();
    }

    private static Operation audited(Operation operation, AuditLog log) {
        String action = AuditLog.ACTIONS.getOrDefault(operation.id(), "");
        if (action.isEmpty()) {
            return operation;
        }
        return Operation.of(operation.id(), call -> {
            int status = FAULT;
            try {
                Reply reply = operation.answer(call);
                status = reply.status();
                return reply;
            } catch (ApiProblem problem) {
                status = problem.status();
                throw problem;
            } finally {
                String object = call.path("namespace") + "/" + call.path("name");
                log.request(action, object, call.caller(), status, call.requestId(), call.dryRun());
            }
        });
    }
}
