/** Derives tenants from kubeconfig Secrets and WorkerClusters; each worker cluster is served for one of them. */
@NullMarked
package io.osmhub.tenancy.registry;

import org.jspecify.annotations.NullMarked;
