/** Documentation and contract as pages, rendered when the hub is built. */
@NullMarked
package io.osmhub.api.docs;

import org.jspecify.annotations.NullMarked;
