/** State as users read it: conditions, what happens to a new node, open problems. Pure; time is passed in. */
@NullMarked
package io.osmhub.core.status;

import org.jspecify.annotations.NullMarked;
