/** Where the hub is shown and measured: simulated clusters with tenants, profiles and MachineDeployments, and who sees what comes of them. */
@NullMarked
package io.osmhub.demo.stage;

import org.jspecify.annotations.NullMarked;
