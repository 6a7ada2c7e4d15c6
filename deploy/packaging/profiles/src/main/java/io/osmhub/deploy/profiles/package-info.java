/** Assembles the default OperatingSystemProfiles from sources that contain shared parts only once. */
@NullMarked
package io.osmhub.deploy.profiles;

import org.jspecify.annotations.NullMarked;
