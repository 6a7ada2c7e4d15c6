/** The hub's settings, and each tenant's: its WorkerCluster's merged with KKP's and with the hub's defaults, resolved and validated. */
@NullMarked
package io.osmhub.tenancy.settings;

import org.jspecify.annotations.NullMarked;
