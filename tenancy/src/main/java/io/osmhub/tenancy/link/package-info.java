/** Links tenants to worker clusters: each tenant's validated kubeconfig, its connection, and which worker cluster it reached. */
@NullMarked
package io.osmhub.tenancy.link;

import org.jspecify.annotations.NullMarked;
