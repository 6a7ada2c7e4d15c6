/** The way to one worker cluster, as the supervisor sees it: how it stands, and what may be asked of it. */
@NullMarked
package io.osmhub.tenancy.link;

import org.jspecify.annotations.NullMarked;
