package io.osmhub.api.console;

import io.osmhub.api.problem.ApiProblem;

/** A read-only page, so it can be rendered again after every change. */
interface ConsolePage {
    PageView view(PageContext visit, PageFrame frame) throws ApiProblem;
}
