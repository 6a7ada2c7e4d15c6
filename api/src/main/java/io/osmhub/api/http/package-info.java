/** The HTTPS server: every request is held against the contract before an operation sees it, every mistake is told at once. */
@NullMarked
package io.osmhub.api.http;

import org.jspecify.annotations.NullMarked;
