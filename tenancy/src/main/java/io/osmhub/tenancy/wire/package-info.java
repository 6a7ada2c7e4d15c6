/** Objects of the management cluster as they come over the wire: who they are, and their JSON. */
@NullMarked
package io.osmhub.tenancy.wire;

import org.jspecify.annotations.NullMarked;
