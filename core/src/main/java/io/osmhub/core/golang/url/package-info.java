/** Go's {@code net/url}: URLs in parts, their escapes and their queries, with Go's error texts. */
@NullMarked
package io.osmhub.core.golang.url;

import org.jspecify.annotations.NullMarked;
