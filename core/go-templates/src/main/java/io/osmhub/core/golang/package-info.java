/**
 * Go's values as visible to templates and encoders: kinds, types, values and functions.
 *
 * <p>Existing profiles are Go templates, and Go's typing decides what they print and where they fail: {@code eq 1 1.0} is an error,
 * a named string is rejected where {@code string} is required, a missing map key prints {@code <no value>}. So templates run on
 * values that carry their Go type, never on plain Java objects.
 *
 * <p>A Go string is a sequence of bytes. {@link io.osmhub.core.golang.GoValue.GoString} stores them in a Java string with one char (0 to
 * 255) per byte: length, index, slice and order are Go's, and ASCII text needs no conversion.
 */
@NullMarked
package io.osmhub.core.golang;

import org.jspecify.annotations.NullMarked;
