/** Tools for contributors: golden cases, fuzzing, the map of packages. Never shipped. */
@NullMarked
package io.osmhub.workbench;

import org.jspecify.annotations.NullMarked;
