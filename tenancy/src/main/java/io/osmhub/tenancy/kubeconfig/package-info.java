/**
 * The firewall between a tenant's kubeconfig and everything that could act on it: reads the text into an allow-list of values
 * before any client library sees it, and says which addresses may be connected to.
 *
 * <p>A kubeconfig can make its reader run programs, open files and send credentials to any address. Nothing here can do such
 * a thing: the package knows no client, no file, no process and no name service, and a test holds that on its class files. What
 * passes is a {@link io.osmhub.tenancy.kubeconfig.VettedKubeconfig}; clients are built from its fields and never from text.
 */
@NullMarked
package io.osmhub.tenancy.kubeconfig;

import org.jspecify.annotations.NullMarked;
