/** How an API server says no: the Status document and the exception that carries it. */
@NullMarked
package io.osmhub.sim.status;

import org.jspecify.annotations.NullMarked;
