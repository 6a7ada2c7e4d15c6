/** TOML as Go's {@code BurntSushi/toml} writes and reads it: sorted keys, values before tables, dotted table headers. */
@NullMarked
package io.osmhub.core.emit.toml;

import org.jspecify.annotations.NullMarked;
