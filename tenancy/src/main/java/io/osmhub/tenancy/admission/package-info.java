/** Admission: the tenants as webhooks see them, and the webhook configurations in worker clusters and in the management cluster. */
@NullMarked
package io.osmhub.tenancy.admission;

import org.jspecify.annotations.NullMarked;
