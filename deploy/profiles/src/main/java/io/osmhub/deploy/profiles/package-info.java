/** Puts the default OperatingSystemProfiles together from their sources, in which everything that they share stands once. */
@NullMarked
package io.osmhub.deploy.profiles;

import org.jspecify.annotations.NullMarked;
