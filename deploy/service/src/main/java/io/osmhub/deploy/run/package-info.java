/** The service process: start order, scheduler and threads, shutdown. */
@NullMarked
package io.osmhub.deploy.run;

import org.jspecify.annotations.NullMarked;
