/**
 * Go's text formats: {@code fmt} printing, quoting, and numbers.
 *
 * <p>Profiles print with Go's rules including its error marks ({@code %!d(string=hi)}), so what is supported gives Go's
 * bytes; a verb that is not is refused by name. All texts are byte strings, see {@link io.osmhub.core.golang.GoValue.GoString}.
 */
@NullMarked
package io.osmhub.core.golang.text;

import org.jspecify.annotations.NullMarked;
