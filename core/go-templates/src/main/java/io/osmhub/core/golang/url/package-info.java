/** Go's {@code net/url}: URLs, their escapes and their queries, with Go's error messages. */
@NullMarked
package io.osmhub.core.golang.url;

import org.jspecify.annotations.NullMarked;
