/**
 * Objects of a cluster as far as rendering asks for them: Secrets, ConfigMaps, service accounts and where the API server is; as
 * values, whoever read them.
 */
@NullMarked
package io.osmhub.core.cluster;

import org.jspecify.annotations.NullMarked;
