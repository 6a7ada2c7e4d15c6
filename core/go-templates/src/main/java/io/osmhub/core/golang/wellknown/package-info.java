/** Named Go types of other packages for templates: addresses, durations and their Kubernetes wrapper, error values. */
@NullMarked
package io.osmhub.core.golang.wellknown;

import org.jspecify.annotations.NullMarked;
