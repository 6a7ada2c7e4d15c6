/** Registers, changes and removes worker clusters in the management cluster, for whoever has the right to: vetted, proven, then stored. */
@NullMarked
package io.osmhub.tenancy.registration;

import org.jspecify.annotations.NullMarked;
