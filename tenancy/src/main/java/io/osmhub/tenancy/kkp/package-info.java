/** KKP mode: the settings of tenants from KKP's objects in the management cluster, and which Clusters are tenants. */
@NullMarked
package io.osmhub.tenancy.kkp;

import org.jspecify.annotations.NullMarked;
