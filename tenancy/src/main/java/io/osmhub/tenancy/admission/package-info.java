/** What API servers ask the hub before they store something: the tenants as admission sees them, and the webhook in each worker cluster. */
@NullMarked
package io.osmhub.tenancy.admission;

import org.jspecify.annotations.NullMarked;
