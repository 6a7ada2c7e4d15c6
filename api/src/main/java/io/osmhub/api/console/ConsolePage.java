package io.osmhub.api.console;

import io.osmhub.api.problem.ApiProblem;
import java.util.Map;

/** A read-only page, so it can be rendered again after every change. */
interface ConsolePage {
    PageView view(PageContext visit, PageFrame frame) throws ApiProblem;

    /**
     * What a page shows.
     *
     * @param template its name
     * @param page navigation entry: fleet, problems, profiles or register; empty for none
     * @param title of the window, without the product's name
     * @param model template values by name
     * @param cells live cells
     * @param live whether the page is kept live; one-time results are not
     */
    record PageView(
            String template, String page, String title, Map<String, Object> model, LiveCells cells, boolean live) {}
}
