/** Knows who exists: one running sync per registered worker cluster, and a fair share for each. */
@NullMarked
package io.osmhub.tenancy;

import org.jspecify.annotations.NullMarked;
