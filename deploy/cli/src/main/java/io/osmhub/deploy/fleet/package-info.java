/**
 * Clients of commands: of the hub's API, of the management cluster and of worker clusters with what commands create and remove
 * there; failures, output formats and files.
 */
@NullMarked
package io.osmhub.deploy.fleet;

import org.jspecify.annotations.NullMarked;
