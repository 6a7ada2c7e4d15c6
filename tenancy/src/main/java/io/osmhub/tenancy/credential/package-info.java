/** Scoped credentials: the account that the hub gets in a worker cluster, the role that it has there, and its short-lived tokens. */
@NullMarked
package io.osmhub.tenancy.credential;

import org.jspecify.annotations.NullMarked;
