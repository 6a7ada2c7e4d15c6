/** Profiles as the hub itself treats them: the default ones that it installs, and its judgement on every one. */
@NullMarked
package io.osmhub.tenancy.profiles;

import org.jspecify.annotations.NullMarked;
