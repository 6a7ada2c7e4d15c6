/** JSON and metadata of the management cluster's objects. */
@NullMarked
package io.osmhub.tenancy.wire;

import org.jspecify.annotations.NullMarked;
