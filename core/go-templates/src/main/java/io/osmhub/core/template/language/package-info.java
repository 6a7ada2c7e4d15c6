/** The template languages of profiles, and their engines with all functions. */
@NullMarked
package io.osmhub.core.template.language;

import org.jspecify.annotations.NullMarked;
