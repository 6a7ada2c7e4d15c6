/** One Kubernetes API server as the hub talks to it: requests that wait for their answer, watches that push lines, failures that say what to do. */
@NullMarked
package io.osmhub.workersync.apiserver;

import org.jspecify.annotations.NullMarked;
