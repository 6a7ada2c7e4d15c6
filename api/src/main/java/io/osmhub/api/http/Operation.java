package io.osmhub.api.http;

import io.osmhub.api.problem.ApiProblem;

/**
 * Implements one operation of the contract.
 *
 * @param id {@code operationId} in the contract
 */
public record Operation(String id, OperationHandler handler) {
    /** Answers a valid request of an authenticated caller and authorizes it. Runs on a virtual thread, so it may block. */
    public interface OperationHandler {
        Reply handle(Call call) throws ApiProblem;
    }

    public static Operation of(String id, OperationHandler handler) {
        return new Operation(id, handler);
    }

    public Reply execute(Call call) throws ApiProblem {
        return handler.handle(call);
    }
}
