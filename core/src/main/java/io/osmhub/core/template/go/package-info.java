/**
 * Go's {@code text/template} as of Go 1.26: a lexer, a parser to an immutable tree, and an executor with Go's typing.
 *
 * <p>A template's text, its output and every string in between are byte strings as in {@link io.osmhub.core.golang.Str}; only
 * {@link io.osmhub.core.template.go.GoTemplateEngine} and {@link io.osmhub.core.template.TemplateFailure} speak Java text.
 *
 * <p>Error messages are Go's, word for word and with Go's positions, because people search for them and tests compare them.
 */
@NullMarked
package io.osmhub.core.template.go;

import org.jspecify.annotations.NullMarked;
