/** The service as a process: what is started in which order, what keeps time and threads, and how it all ends. */
@NullMarked
package io.osmhub.deploy.run;

import org.jspecify.annotations.NullMarked;
