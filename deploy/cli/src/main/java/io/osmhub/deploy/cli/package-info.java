/** The {@code hub} command: one class per verb, and the shared terminal, reports and exit codes. */
@NullMarked
package io.osmhub.deploy.cli;

import org.jspecify.annotations.NullMarked;
