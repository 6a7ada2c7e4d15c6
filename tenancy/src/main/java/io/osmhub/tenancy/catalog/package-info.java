/**
 * OperatingSystemProfiles and OperatingSystemConfigs: caches, the view of one tenant, the default profiles that the hub installs, and
 * the verification of all profiles.
 */
@NullMarked
package io.osmhub.tenancy.catalog;

import org.jspecify.annotations.NullMarked;
