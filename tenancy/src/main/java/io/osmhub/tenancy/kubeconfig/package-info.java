/**
 * Validates tenants' kubeconfigs: parses the text into an allow-list of values before any client library sees it, and decides
 * which addresses may be connected to.
 *
 * <p>A kubeconfig can make its reader run programs, open files and send credentials to any address. This package cannot do such
 * things: it uses no client, file, process or DNS, which a test enforces on its class files. Clients are built from the fields of
 * a {@link io.osmhub.tenancy.kubeconfig.ValidatedKubeconfig}, never from text.
 */
@NullMarked
package io.osmhub.tenancy.kubeconfig;

import org.jspecify.annotations.NullMarked;
