/** A machine that boots with the hub's user-data: a Debian root folder in separate namespaces, connected only to one socket. */
@NullMarked
package io.osmhub.e2e.node;

import org.jspecify.annotations.NullMarked;
