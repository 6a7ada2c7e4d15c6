/** How the service's log lines look: one event a line, with stable keys, as JSON for programs or as text for people. */
@NullMarked
package io.osmhub.deploy.log;

import org.jspecify.annotations.NullMarked;
