/**
 * Profiles in Handlebars, on handlebars.java: the language is the library's, all that a template can reach is ours.
 *
 * <p>The library is built for trusted templates, so everything that leads out of one is replaced here: names are resolved in Go
 * values and never on Java objects, helpers are those of {@link io.osmhub.core.template.handlebars.Helpers} and no others,
 * partials are the profile's own snippets, text is written through the budget. A name that the context does not have is an
 * error and not an empty text.
 */
@NullMarked
package io.osmhub.core.template.handlebars;

import org.jspecify.annotations.NullMarked;
