/** JSON that people write, read by the rules of Go's decoder: names without regard to case, the last of two wins, Go's texts. */
@NullMarked
package io.osmhub.core.json;

import org.jspecify.annotations.NullMarked;
