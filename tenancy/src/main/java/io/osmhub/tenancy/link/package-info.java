/** The supervisor's interface to worker cluster connections. */
@NullMarked
package io.osmhub.tenancy.link;

import org.jspecify.annotations.NullMarked;
