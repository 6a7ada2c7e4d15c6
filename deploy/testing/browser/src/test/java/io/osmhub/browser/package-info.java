/** End-to-end tests of the console: a browser, TLS, and a hub with simulated clusters. */
@NullMarked
package io.osmhub.browser;

import org.jspecify.annotations.NullMarked;
