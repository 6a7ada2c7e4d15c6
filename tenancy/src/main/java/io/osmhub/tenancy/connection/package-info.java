/** Keeps one worker cluster connected: proves a credential, notices what breaks, waits, tries again, and says why. */
@NullMarked
package io.osmhub.tenancy.connection;

import org.jspecify.annotations.NullMarked;
