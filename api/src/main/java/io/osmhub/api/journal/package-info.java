/** Journal of changes: its positions are based on resource versions and outlive the process. */
@NullMarked
package io.osmhub.api.journal;

import org.jspecify.annotations.NullMarked;
