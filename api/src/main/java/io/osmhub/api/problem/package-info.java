/** Refusals and failures as callers of the API read them: what is wrong, where in the request, and how to mend it. */
@NullMarked
package io.osmhub.api.problem;

import org.jspecify.annotations.NullMarked;
