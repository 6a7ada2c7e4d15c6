/** Registers, changes, tests and removes worker clusters, and shows their settings: the operations, and what they answer. */
@NullMarked
package io.osmhub.api.registration;

import org.jspecify.annotations.NullMarked;
