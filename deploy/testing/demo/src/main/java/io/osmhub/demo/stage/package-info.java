/** The stage for demo and benchmarks: simulated clusters with tenants, profiles and MachineDeployments, and observers of the results. */
@NullMarked
package io.osmhub.demo.stage;

import org.jspecify.annotations.NullMarked;
