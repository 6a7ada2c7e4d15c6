/**
 * How Go writes and reads values as text: {@code fmt} printing, quoting, and numbers.
 *
 * <p>Profiles print with Go's rules down to its error marks ({@code %!d(string=hi)}), so these rules are kept in full. All
 * text is byte strings, as {@link io.osmhub.core.golang.Str} describes them.
 */
@NullMarked
package io.osmhub.core.golang.text;

import org.jspecify.annotations.NullMarked;
