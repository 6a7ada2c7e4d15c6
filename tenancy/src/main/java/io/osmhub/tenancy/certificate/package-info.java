/** The hub's serving certificates: issued by its own authority and stored in the management cluster, or provided by files or Secrets. */
@NullMarked
package io.osmhub.tenancy.certificate;

import org.jspecify.annotations.NullMarked;
