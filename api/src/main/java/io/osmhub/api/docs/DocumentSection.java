package io.osmhub.api.docs;

/**
 * A heading of a documentation page with the text up to the next one.
 *
 * @param level 1 for the title
 */
public record DocumentSection(String heading, int level, String anchor, String text) {}
