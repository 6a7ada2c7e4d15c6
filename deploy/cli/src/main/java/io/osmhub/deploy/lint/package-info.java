/** Support for {@code hub lint}: input files, bash, and report formats. */
@NullMarked
package io.osmhub.deploy.lint;

import org.jspecify.annotations.NullMarked;
