/** Namespaces of the management cluster. */
@NullMarked
package io.osmhub.tenancy.namespace;

import org.jspecify.annotations.NullMarked;
