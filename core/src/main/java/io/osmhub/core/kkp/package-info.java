/** Kubermatic Kubernetes Platform (KKP): the settings of a user cluster, read from KKP's own objects. */
@NullMarked
package io.osmhub.core.kkp;

import org.jspecify.annotations.NullMarked;
