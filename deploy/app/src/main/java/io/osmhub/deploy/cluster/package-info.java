/** What {@code hub cluster} shows and does: tables and reports of worker clusters, and what is made and removed in one of them. */
@NullMarked
package io.osmhub.deploy.cluster;

import org.jspecify.annotations.NullMarked;
