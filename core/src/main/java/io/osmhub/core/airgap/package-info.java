/** What machines download: URLs, package sources, packages and images, as declared beside a profile or found in its rendering. */
@NullMarked
package io.osmhub.core.airgap;

import org.jspecify.annotations.NullMarked;
