/** Reference of every function of both template languages: one catalogue for the command line, linter and docs. */
@NullMarked
package io.osmhub.core.template.reference;

import org.jspecify.annotations.NullMarked;
