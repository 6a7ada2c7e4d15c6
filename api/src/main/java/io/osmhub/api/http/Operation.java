package io.osmhub.api.http;

import io.osmhub.api.problem.ApiProblem;

/** Implements one operation of the contract. */
public interface Operation {
    /** {@code operationId} in the contract. */
    String id();

    /** Executes a valid request of an authenticated caller; the operation authorizes it. Runs on a virtual thread, so it may block. */
    Reply execute(Call call) throws ApiProblem;

    /** An operation from a function. */
    static Operation of(String id, OperationHandler answer) {
        return new Operation() {
            @Override
            public String id() {
                return id;
            }

            @Override
            public Reply execute(Call call) throws ApiProblem {
                return answer.handle(call);
            }
        };
    }

    interface OperationHandler {
        Reply handle(Call call) throws ApiProblem;
    }
}
