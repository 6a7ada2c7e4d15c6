/** Finds what rendered machines would download: URLs, package sources, packages and images. */
@NullMarked
package io.osmhub.core.airgap;

import org.jspecify.annotations.NullMarked;
