/** Kubeconfig Secrets and WorkerClusters to tenants: who is registered, who may be served, what has to be made or removed. */
@NullMarked
package io.osmhub.tenancy.registry;

import org.jspecify.annotations.NullMarked;
