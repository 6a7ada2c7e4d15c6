package io.osmhub.api.console;

import io.osmhub.api.problem.ApiProblem;

/** One page, as it is read. It changes nothing, so it can be looked at again whenever something has changed. */
interface Screen {
    View view(Visit visit, Frame frame) throws ApiProblem;
}
