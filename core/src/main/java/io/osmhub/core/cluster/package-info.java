/**
 * Objects of a cluster that rendering needs: Secrets, ConfigMaps, service accounts and the API server's address; as values,
 * independent of their source.
 */
@NullMarked
package io.osmhub.core.cluster;

import org.jspecify.annotations.NullMarked;
