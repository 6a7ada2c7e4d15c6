/** What the hub does to real clusters, seen from outside: a process of its own under the roles that are shipped. */
@NullMarked
package io.osmhub.e2e;

import org.jspecify.annotations.NullMarked;
