/** Health and metrics endpoints. */
@NullMarked
package io.osmhub.api.ops;

import org.jspecify.annotations.NullMarked;
