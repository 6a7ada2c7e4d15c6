/** The demo's terminal: a table that stays in place, lines where nothing can, keys where somebody types. */
@NullMarked
package io.osmhub.demo.screen;

import org.jspecify.annotations.NullMarked;
