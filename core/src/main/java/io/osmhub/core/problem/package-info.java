/** What went wrong, where, how to fix it, and who has to act. */
@NullMarked
package io.osmhub.core.problem;

import org.jspecify.annotations.NullMarked;
