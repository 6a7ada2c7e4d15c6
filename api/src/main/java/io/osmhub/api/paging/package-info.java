/** Sorted tables and paging: rows stay in order while they change, and all pages of a query show the same result. */
@NullMarked
package io.osmhub.api.paging;

import org.jspecify.annotations.NullMarked;
