/** What would come of a profile, a MachineDeployment or settings that nobody has applied: rendered, compared and checked, without a credential. */
@NullMarked
package io.osmhub.api.preview;

import org.jspecify.annotations.NullMarked;
