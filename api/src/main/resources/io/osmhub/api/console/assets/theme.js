/* Loaded in <head>, so that it runs before the first paint. */
"use strict";
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.setAttribute("data-theme", theme);
} catch { /* private mode: the theme of the system applies */ }
