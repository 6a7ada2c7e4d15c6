/** An API server and a clock in memory, for tests: everything happens when the test says so, in one order. */
@NullMarked
package io.osmhub.workersync.fake;

import org.jspecify.annotations.NullMarked;
