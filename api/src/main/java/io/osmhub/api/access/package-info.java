/** Who asks, and what they may see and change: the management cluster decides, the hub remembers its answers for a moment. */
@NullMarked
package io.osmhub.api.access;

import org.jspecify.annotations.NullMarked;
