/** The latest changes of stored objects, and their stream to clients. */
@NullMarked
package io.osmhub.api.journal;

import org.jspecify.annotations.NullMarked;
