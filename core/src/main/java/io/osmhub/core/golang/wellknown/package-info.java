/** Named Go types from other packages that templates meet: addresses, the Kubernetes duration wrapper, error values. */
@NullMarked
package io.osmhub.core.golang.wellknown;

import org.jspecify.annotations.NullMarked;
