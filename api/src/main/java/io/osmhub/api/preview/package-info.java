/** Previews of unapplied profiles, MachineDeployments and settings: rendered, compared and linted, without credentials. */
@NullMarked
package io.osmhub.api.preview;

import org.jspecify.annotations.NullMarked;
