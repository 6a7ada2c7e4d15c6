/** What is wrong with the hub itself: what it may not do in the management cluster, and how replicas tell each other. */
@NullMarked
package io.osmhub.tenancy.concern;

import org.jspecify.annotations.NullMarked;
