/** Main, configuration, wiring and the order of shutdown. */
@NullMarked
package io.osmhub.deploy;

import org.jspecify.annotations.NullMarked;
