/** HTTP server and the route table. */
@NullMarked
package io.osmhub.api;

import org.jspecify.annotations.NullMarked;
