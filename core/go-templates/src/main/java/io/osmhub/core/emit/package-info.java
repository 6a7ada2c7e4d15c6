/**
 * Writes and reads Go values as JSON, YAML and TOML, with the bytes of the Go libraries that profiles are used to.
 * One package for each format; here is what they share.
 */
@NullMarked
package io.osmhub.core.emit;

import org.jspecify.annotations.NullMarked;
