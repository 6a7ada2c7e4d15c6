/** The hub's serving certificates, issued by its own authority or provided by files or Secrets, and its session keys; shared by all replicas. */
@NullMarked
package io.osmhub.tenancy.certificate;

import org.jspecify.annotations.NullMarked;
