/** Keeps one worker cluster connected: verifies credentials, detects failures, reconnects, and reports the state. */
@NullMarked
package io.osmhub.tenancy.connection;

import org.jspecify.annotations.NullMarked;
