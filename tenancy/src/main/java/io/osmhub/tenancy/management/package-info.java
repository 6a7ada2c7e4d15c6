/**
 * The management cluster: JSON and metadata of its objects, caches filled by watches, the statuses and Events that the hub writes to
 * it, and the loop that keeps objects renewed.
 */
@NullMarked
package io.osmhub.tenancy.management;

import org.jspecify.annotations.NullMarked;
