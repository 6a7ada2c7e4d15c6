/** The HTTPS server: validates every request against the contract before an operation runs, and reports all errors at once. */
@NullMarked
package io.osmhub.api.http;

import org.jspecify.annotations.NullMarked;
