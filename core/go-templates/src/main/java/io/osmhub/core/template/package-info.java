/** The template languages: compile once, render many times on any thread, with only the listed functions. */
@NullMarked
package io.osmhub.core.template;

import org.jspecify.annotations.NullMarked;
