/** Client interface to one Kubernetes API server: blocking requests, streaming watches, classified failures. */
@NullMarked
package io.osmhub.workersync.apiserver;

import org.jspecify.annotations.NullMarked;
