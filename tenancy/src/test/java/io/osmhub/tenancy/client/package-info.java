@NullMarked
package io.osmhub.tenancy.client;

import org.jspecify.annotations.NullMarked;
