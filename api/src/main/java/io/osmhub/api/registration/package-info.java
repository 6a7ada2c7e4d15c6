/** Operations that register, change, test and remove worker clusters and return their settings. */
@NullMarked
package io.osmhub.api.registration;

import org.jspecify.annotations.NullMarked;
