/** Large tables that are asked page by page: kept in order while they change, and the same from the first page of a paging to the last. */
@NullMarked
package io.osmhub.api.paging;

import org.jspecify.annotations.NullMarked;
