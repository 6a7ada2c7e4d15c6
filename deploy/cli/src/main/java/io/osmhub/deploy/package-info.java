/** Entry point of the program. */
@NullMarked
package io.osmhub.deploy;

import org.jspecify.annotations.NullMarked;
