/** Scoped credentials: the hub's account and role in a worker cluster, and its short-lived tokens. */
@NullMarked
package io.osmhub.tenancy.credential;

import org.jspecify.annotations.NullMarked;
