/** The demo's terminal: a table updated in place, plain lines as a fallback, and keys. */
@NullMarked
package io.osmhub.demo.screen;

import org.jspecify.annotations.NullMarked;
