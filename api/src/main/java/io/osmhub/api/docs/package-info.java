/** Documentation and contract as pages, rendered on the server. */
@NullMarked
package io.osmhub.api.docs;

import org.jspecify.annotations.NullMarked;
