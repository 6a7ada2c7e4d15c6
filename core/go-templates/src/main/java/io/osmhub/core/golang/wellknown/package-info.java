/** Named Go types of other packages for templates: addresses, the Kubernetes duration wrapper, error values. */
@NullMarked
package io.osmhub.core.golang.wellknown;

import org.jspecify.annotations.NullMarked;
