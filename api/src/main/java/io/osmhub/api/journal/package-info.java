/** The latest changes of stored objects as events. */
@NullMarked
package io.osmhub.api.journal;

import org.jspecify.annotations.NullMarked;
