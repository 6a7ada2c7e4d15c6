/**
 * Go's {@code text/template} as of Go 1.26: a lexer, a parser to an immutable tree, and an executor with Go's typing.
 *
 * <p>A template's text, its output and all intermediate strings are byte strings as in {@link io.osmhub.core.golang.GoValue.GoString}; only
 * {@link io.osmhub.core.template.go.GoTemplateEngine} and {@link io.osmhub.core.template.TemplateException} use Java text.
 *
 * <p>Error messages are Go's, byte for byte and with Go's positions, because users search for them and tests compare them.
 */
@NullMarked
package io.osmhub.core.template.go;

import org.jspecify.annotations.NullMarked;
