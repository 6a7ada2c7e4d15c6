/** Namespaces of the management cluster: which there are, which may hold a tenant, which offer their profiles, which are ending. */
@NullMarked
package io.osmhub.tenancy.namespace;

import org.jspecify.annotations.NullMarked;
