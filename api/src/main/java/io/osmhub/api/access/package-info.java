/** Authentication and authorization of callers: the management cluster decides, the hub caches its decisions briefly. */
@NullMarked
package io.osmhub.api.access;

import org.jspecify.annotations.NullMarked;
