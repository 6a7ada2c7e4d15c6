/**
 * Profiles in Handlebars, on handlebars.java: the language is the library's, everything that a template can access is the hub's.
 *
 * <p>The library is built for trusted templates, so all access beyond the template is replaced here: names are resolved in Go
 * values and never on Java objects, only the helpers of {@link io.osmhub.core.template.functions.HandlebarsFunctions} exist,
 * partials are the profile's own snippets, text is written through the budget. A name missing in the context is an error and not an
 * empty text.
 */
@NullMarked
package io.osmhub.core.template.handlebars;

import org.jspecify.annotations.NullMarked;
