/**
 * Converts an OSC to user-data: the cloud-init or Ignition document of a machine, and the script that fetches it on edge machines.
 */
@NullMarked
package io.osmhub.core.userdata;

import org.jspecify.annotations.NullMarked;
