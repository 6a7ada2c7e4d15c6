/** What went wrong, where, and how to mend it; and who has to act. */
@NullMarked
package io.osmhub.core.problem;

import org.jspecify.annotations.NullMarked;
