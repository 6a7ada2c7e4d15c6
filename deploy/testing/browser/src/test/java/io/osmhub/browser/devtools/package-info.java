/** Drives a browser: starts Chromium and uses its DevTools protocol over one WebSocket. */
@NullMarked
package io.osmhub.browser.devtools;

import org.jspecify.annotations.NullMarked;
