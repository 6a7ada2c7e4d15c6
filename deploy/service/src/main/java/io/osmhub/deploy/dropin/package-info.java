/** The command lines of operating-system-manager, converted to a hub configuration. */
@NullMarked
package io.osmhub.deploy.dropin;

import org.jspecify.annotations.NullMarked;
