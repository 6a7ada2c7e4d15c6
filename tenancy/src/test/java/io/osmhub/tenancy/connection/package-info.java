@NullMarked
package io.osmhub.tenancy.connection;

import org.jspecify.annotations.NullMarked;
