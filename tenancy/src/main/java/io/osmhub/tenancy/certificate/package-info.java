/** The hub's serving certificates, issued by its own authority or provided by files or a Secret, and its session key; shared by all replicas. */
@NullMarked
package io.osmhub.tenancy.certificate;

import org.jspecify.annotations.NullMarked;
