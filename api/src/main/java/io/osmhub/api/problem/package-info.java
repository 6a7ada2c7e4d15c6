/** Error responses: what is wrong, where in the request, and how to fix it. */
@NullMarked
package io.osmhub.api.problem;

import org.jspecify.annotations.NullMarked;
