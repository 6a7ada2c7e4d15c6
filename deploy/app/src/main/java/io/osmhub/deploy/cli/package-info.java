/** The {@code hub} command: one class for each verb, and what all verbs share: terminal, reports and exit codes. */
@NullMarked
package io.osmhub.deploy.cli;

import org.jspecify.annotations.NullMarked;
