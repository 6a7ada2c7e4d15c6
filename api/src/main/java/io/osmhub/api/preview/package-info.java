/** Previews of unapplied profiles, MachineDeployments and settings: rendered and compared, without credentials. */
@NullMarked
package io.osmhub.api.preview;

import org.jspecify.annotations.NullMarked;
