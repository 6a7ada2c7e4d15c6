/** Default profiles that the hub installs, and verification of all profiles. */
@NullMarked
package io.osmhub.tenancy.profiles;

import org.jspecify.annotations.NullMarked;
