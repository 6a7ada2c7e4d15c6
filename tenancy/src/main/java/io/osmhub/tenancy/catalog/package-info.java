/** OperatingSystemProfiles and OperatingSystemConfigs of the management cluster, scoped to one tenant. */
@NullMarked
package io.osmhub.tenancy.catalog;

import org.jspecify.annotations.NullMarked;
