/** The web console: static files whose script reads the API, and the sign-in, which no script sees. */
@NullMarked
package io.osmhub.api.console;

import org.jspecify.annotations.NullMarked;
