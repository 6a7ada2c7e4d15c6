package io.osmhub.api.console;

import java.util.Map;

/**
 * What a page shows.
 *
 * @param template its name
 * @param page word of the navigation that it belongs to: fleet, problems, profiles or register; empty for none
 * @param title of the window, without the product's name
 * @param model what the template prints, by name
 * @param cells what of it is kept live
 * @param live whether it is kept live at all; answers to a question that was asked at a time are not
 */
record View(String template, String page, String title, Map<String, Object> model, Cells cells, boolean live) {}
