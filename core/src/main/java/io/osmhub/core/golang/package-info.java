/**
 * Go's values, as far as a template or an emitter can see them: kinds, types, values and function values.
 *
 * <p>Existing profiles are Go templates, and Go's typing decides what they print and where they fail: {@code eq 1 1.0} is
 * an error, a named string is refused where {@code string} is wanted, a missing map key prints {@code <no value>}. So a
 * template is run over values that carry their Go type, never over bare Java objects.
 *
 * <p>A Go string is a sequence of bytes. {@link io.osmhub.core.golang.Str} keeps these bytes in a Java string that has one
 * char (0 to 255) for each byte: length, index, slice and order are Go's, and ASCII text needs no conversion.
 */
@NullMarked
package io.osmhub.core.golang;

import org.jspecify.annotations.NullMarked;
