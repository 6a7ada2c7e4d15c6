/** Derives tenants from kubeconfig Secrets and WorkerClusters. */
@NullMarked
package io.osmhub.tenancy.registry;

import org.jspecify.annotations.NullMarked;
