/** What holds for one tenant: its WorkerCluster over the hub's defaults, what that refers to, and what is wrong with it. */
@NullMarked
package io.osmhub.tenancy.settings;

import org.jspecify.annotations.NullMarked;
