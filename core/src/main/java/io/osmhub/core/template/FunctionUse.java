package io.osmhub.core.template;

/**
 * A position where a template uses a function.
 *
 * @param template name of the file or snippet
 * @param line from 1
 * @param column in characters, from 1
 */
public record FunctionUse(String function, String template, int line, int column) {}
