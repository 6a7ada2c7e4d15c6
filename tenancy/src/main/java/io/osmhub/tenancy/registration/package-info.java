/**
 * Registers, changes and removes worker clusters in the management cluster; kubeconfigs are validated and tested before they are
 * stored.
 */
@NullMarked
package io.osmhub.tenancy.registration;

import org.jspecify.annotations.NullMarked;
