/** Decodes handwritten JSON by the rules of Go's decoder: case-insensitive names, the last duplicate wins, Go's messages. */
@NullMarked
package io.osmhub.core.json;

import org.jspecify.annotations.NullMarked;
