package io.osmhub.api.docs;

/**
 * A heading of a documentation page.
 *
 * @param level 1 for the title
 */
record DocumentSection(String heading, int level, String anchor) {}
