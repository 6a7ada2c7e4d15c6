/** The command lines of operating-system-manager: the same flags in the same syntax, as configuration of the hub. */
@NullMarked
package io.osmhub.deploy.dropin;

import org.jspecify.annotations.NullMarked;
