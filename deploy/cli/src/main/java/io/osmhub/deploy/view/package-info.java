/** Command output: tables, descriptions, why reports, events and previews. */
@NullMarked
package io.osmhub.deploy.view;

import org.jspecify.annotations.NullMarked;
