/** Black-box tests of the hub with real clusters: a separate process with the shipped roles. */
@NullMarked
package io.osmhub.e2e;

import org.jspecify.annotations.NullMarked;
