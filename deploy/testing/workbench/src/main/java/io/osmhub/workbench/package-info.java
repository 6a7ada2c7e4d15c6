/** Contributors' tools, not shipped: golden cases, fuzzing, the package map. */
@NullMarked
package io.osmhub.workbench;

import org.jspecify.annotations.NullMarked;
