/** Command output: tables, registrations and previews. */
@NullMarked
package io.osmhub.deploy.view;

import org.jspecify.annotations.NullMarked;
