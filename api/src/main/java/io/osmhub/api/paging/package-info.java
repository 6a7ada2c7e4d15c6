/** Lists: declared columns, filters, sorting and paging. */
@NullMarked
package io.osmhub.api.paging;

import org.jspecify.annotations.NullMarked;
