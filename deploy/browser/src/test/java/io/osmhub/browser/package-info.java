/** The console as people use it: in a browser, over TLS, on a hub that serves simulated clusters. */
@NullMarked
package io.osmhub.browser;

import org.jspecify.annotations.NullMarked;
