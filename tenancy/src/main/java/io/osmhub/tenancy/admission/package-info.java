/** Admission: the tenants as webhooks see them, and the webhook configuration in each worker cluster. */
@NullMarked
package io.osmhub.tenancy.admission;

import org.jspecify.annotations.NullMarked;
