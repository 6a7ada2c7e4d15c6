/** A machine that starts with the hub's user-data: a Debian root folder in namespaces of its own, whose only way leads to one socket. */
@NullMarked
package io.osmhub.e2e.node;

import org.jspecify.annotations.NullMarked;
