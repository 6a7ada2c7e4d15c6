/** The fleet as commands show it: tables, single objects, answers why, changes as they come, and what a change would do. */
@NullMarked
package io.osmhub.deploy.view;

import org.jspecify.annotations.NullMarked;
