package io.osmhub.api.http;

import io.osmhub.api.problem.ApiProblem;

/** Answers one operation of the contract. */
public interface Operation {
    /** {@code operationId} in the contract. */
    String id();

    /**
     * Answers. The request fits the contract and the caller is signed in; what they may see and change is for the operation to ask.
     * On a virtual thread of its own, so it may wait.
     */
    Reply answer(Call call) throws ApiProblem;

    /** An operation from a function. */
    static Operation of(String id, Answer answer) {
        return new Operation() {
            @Override
            public String id() {
                return id;
            }

            @Override
            public Reply answer(Call call) throws ApiProblem {
                return answer.to(call);
            }
        };
    }

    /** What an operation does. */
    interface Answer {
        Reply to(Call call) throws ApiProblem;
    }
}
