/** Kubermatic Kubernetes Platform (KKP): the settings of a user cluster and its profiles, read from KKP's own objects. */
@NullMarked
package io.osmhub.core.kkp;

import org.jspecify.annotations.NullMarked;
