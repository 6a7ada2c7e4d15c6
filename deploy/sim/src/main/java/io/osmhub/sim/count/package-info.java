/** How often each verb was asked, by whom and with which answer. */
@NullMarked
package io.osmhub.sim.count;

import org.jspecify.annotations.NullMarked;
