/** OperatingSystemProfiles and OperatingSystemConfigs of the management cluster, seen one tenant at a time. */
@NullMarked
package io.osmhub.tenancy.catalog;

import org.jspecify.annotations.NullMarked;
