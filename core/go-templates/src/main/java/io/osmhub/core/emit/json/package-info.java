/** JSON as Go's {@code encoding/json} writes and reads it: sorted keys, HTML-safe strings, Go's numbers. */
@NullMarked
package io.osmhub.core.emit.json;

import org.jspecify.annotations.NullMarked;
