/** Real API servers for tests: kube-apiserver and etcd as processes, their accounts, their audit log, and plain requests to them. */
@NullMarked
package io.osmhub.e2e.cluster;

import org.jspecify.annotations.NullMarked;
