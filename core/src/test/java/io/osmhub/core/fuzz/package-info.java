/**
 * Throws random and mutated input at everything that reads what tenants write, and watches: only the declared failures, no run past
 * the limits, no output beside an error. Deterministic by a seed. Shared by a bounded test and by the command that runs for longer.
 */
@NullMarked
package io.osmhub.core.fuzz;

import org.jspecify.annotations.NullMarked;
