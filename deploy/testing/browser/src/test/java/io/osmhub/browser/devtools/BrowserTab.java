package io.osmhub.browser.devtools;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Drives one browser tab: navigation, keys, clicks and reads. */
public final class BrowserTab implements AutoCloseable {
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Duration BETWEEN = Duration.ofMillis(50);
    /** Non-character keys. */
    private static final Map<String, Integer> NAMED =
            Map.of("Enter", 13, "Escape", 27, "Tab", 9, "Space", 32, "ArrowDown", 40, "ArrowUp", 38);

    private static final int SHIFT = 8;
    private static final int MOST_STOPS = 300;

    /** The focused element if the focus is not drawn, is outside of the window or is covered; else empty. */
    private static final String FOCUS = """
            (() => {
              const one = document.activeElement;
              if (one === document.body) return '';
              const box = one.getClientRects()[0] ?? new DOMRect();
              const style = getComputedStyle(one);
              const drawn = one.matches(':focus-visible') && style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
              const inside = box.width > 0 && box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
              const top = document.elementFromPoint(
                Math.min(Math.max(box.x + box.width / 2, 0), innerWidth - 1), Math.min(Math.max(box.y + box.height / 2, 0), innerHeight - 1));
              const covered = top !== null && !one.contains(top) && !top.contains(one);
              return drawn && inside && !covered ? '' : `${one.outerHTML.slice(0, 200)} drawn ${drawn} inside ${inside} covered ${covered}`;
            })()""";

    private final DevTools tools;
    private final String target;
    private final String session;
    private final List<String> errors = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    private BrowserTab(DevTools tools, String target, String session) {
        this.tools = tools;
        this.target = target;
        this.session = session;
    }

    static BrowserTab open(DevTools tools) {
        String context = tools.send("", "Target.createBrowserContext", Map.of())
                .path("browserContextId")
                .asText();
        String target = tools.send("", "Target.createTarget", Map.of("url", "about:blank", "browserContextId", context))
                .path("targetId")
                .asText();
        String session = tools.send("", "Target.attachToTarget", Map.of("targetId", target, "flatten", true))
                .path("sessionId")
                .asText();
        BrowserTab tab = new BrowserTab(tools, target, session);
        tools.listen(tab::hear);
        for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
            tab.send(domain + ".enable", Map.of());
        }
        tab.resize(1440, 900);
        return tab;
    }

    private JsonNode send(String method, Map<String, ?> parameters) {
        return tools.send(session, method, parameters);
    }

    private void hear(JsonNode event) {
        if (!event.path("sessionId").asText().equals(session)) {
            return;
        }
        JsonNode parameters = event.path("params");
        switch (event.path("method").asText()) {
            case "Runtime.exceptionThrown" ->
                errors.add(parameters.path("exceptionDetails").toString());
            case "Log.entryAdded" -> {
                JsonNode entry = parameters.path("entry");
                if (entry.path("level").asText().equals("error")) {
                    errors.add(entry.path("text").asText() + " "
                            + entry.path("url").asText());
                }
            }
            case "Runtime.consoleAPICalled" -> {
                if (parameters.path("type").asText().equals("error")) {
                    errors.add(parameters.path("args").toString());
                }
            }
            case "Network.requestWillBeSent" ->
                requests.add(parameters.path("request").path("url").asText());
            default -> {}
        }
    }

    /** Page errors: exceptions, console errors, and policy violations. */
    public List<String> errors() {
        return List.copyOf(errors);
    }

    /** Clears the collected errors. */
    public void clearErrors() {
        errors.clear();
    }

    /** Requested addresses. */
    public List<String> requests() {
        return List.copyOf(requests);
    }

    /** Navigates and waits until the page is loaded. */
    public BrowserTab navigate(String address) {
        JsonNode went = send("Page.navigate", Map.of("url", address));
        if (went.has("errorText")) {
            throw new IllegalStateException(
                    address + ": " + went.path("errorText").asText());
        }
        return awaitLoaded();
    }

    /** Waits until the current navigation is loaded and its view is shown. */
    public BrowserTab awaitLoaded() {
        return awaitCondition("document.readyState === 'complete' && location.href !== 'about:blank'"
                + " && !document.body.hasAttribute('aria-busy')");
    }

    /** Value of an expression in the page. */
    public JsonNode evaluate(String expression) {
        JsonNode answer =
                send("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
        if (answer.has("exceptionDetails")) {
            throw new IllegalStateException(expression + ": " + answer.path("exceptionDetails"));
        }
        return answer.path("result").path("value");
    }

    /** Text of the first matching element; empty if there is none. */
    public String text(String selector) {
        return evaluate("document.querySelector(" + quoted(selector)
                        + ")?.textContent.replace(/\\s+/g, ' ').trim() ?? ''")
                .asText();
    }

    /** Visible text of the page. */
    public String text() {
        return evaluate("document.body.innerText").asText();
    }

    public int count(String selector) {
        return evaluate("document.querySelectorAll(" + quoted(selector) + ").length")
                .asInt();
    }

    /** Waits until an expression is true. */
    public BrowserTab awaitCondition(String condition) {
        try {
            Awaitility.await()
                    .pollInSameThread()
                    .pollInterval(BETWEEN)
                    .atMost(LONGEST)
                    // No document exists between two pages.
                    .ignoreException(IllegalStateException.class)
                    .until(() -> evaluate(condition).asBoolean());
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(
                    "never true: " + condition + "\non "
                            + evaluate("location.href").asText() + ":\n" + text(),
                    e);
        }
        return this;
    }

    /** Waits until a text appears on the page. */
    public BrowserTab awaitText(String text) {
        return awaitCondition("document.body.innerText.includes(" + quoted(text) + ")");
    }

    /** Clicks the first matching element. */
    public BrowserTab click(String selector) {
        if (!evaluate("(() => { const found = document.querySelector(" + quoted(selector)
                        + "); found?.click(); return !!found; })()")
                .asBoolean()) {
            throw new AssertionError("no element to click: " + selector + " on " + text());
        }
        return this;
    }

    /** Fills a field as if pasted. */
    public BrowserTab fill(String selector, String text) {
        awaitCondition("document.querySelector(" + quoted(selector) + ") !== null");
        evaluate("document.querySelector(" + quoted(selector) + ").focus()");
        return type(text);
    }

    /** Presses keys, one after the other: single characters, or names such as Enter or Shift+Tab. */
    public BrowserTab press(String... keys) {
        for (String pressed : keys) {
            String name = pressed.replace("Shift+", "");
            String key = name.equals("Space") ? " " : name;
            Map<String, Object> event = new HashMap<>(Map.of("key", key));
            Integer code = NAMED.get(name);
            if (code != null) {
                event.putAll(Map.of("code", name, "windowsVirtualKeyCode", code));
            }
            if (!pressed.equals(name)) {
                event.put("modifiers", SHIFT);
            }
            String text = name.equals("Enter") ? "\r" : key.length() == 1 ? key : "";
            event.put("type", text.isEmpty() ? "rawKeyDown" : "keyDown");
            if (!text.isEmpty()) {
                event.put("text", text);
            }
            send("Input.dispatchKeyEvent", event);
            event.remove("text");
            event.put("type", "keyUp");
            send("Input.dispatchKeyEvent", event);
        }
        return this;
    }

    /** Types a text into the focused field as if pasted. */
    public BrowserTab type(String text) {
        send("Input.insertText", Map.of("text", text));
        return this;
    }

    /** Whether the focused element matches a selector. */
    public boolean isFocused(String selector) {
        return evaluate("document.activeElement.matches(" + quoted(selector) + ")")
                .asBoolean();
    }

    /** Presses Tab until an element has the focus. Fails if a stop on the way does not show that it has the focus. */
    public BrowserTab tabTo(String selector) {
        for (int stop = 0; stop < MOST_STOPS; stop++) {
            press("Tab");
            String hidden = evaluate(FOCUS).asText();
            if (!hidden.isEmpty()) {
                throw new AssertionError("focus not visible on " + hidden);
            }
            if (isFocused(selector)) {
                return this;
            }
        }
        throw new AssertionError("not reached by Tab: " + selector + " on " + text());
    }

    /** Opens all details of the page, and scrolls to its start. */
    public BrowserTab unfold() {
        evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; }); scrollTo(0, 0)");
        return this;
    }

    /** Size of the window, in CSS pixels. */
    public BrowserTab resize(int width, int height) {
        send(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        return this;
    }

    /** Preferred colour scheme: light or dark. */
    public BrowserTab setColorScheme(String scheme) {
        send(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        return this;
    }

    /** Whether scripts run at all. */
    public BrowserTab setScriptsEnabled(boolean run) {
        send("Emulation.setScriptExecutionDisabled", Map.of("value", !run));
        return this;
    }

    /** Writes a PNG screenshot of the viewport or the whole page. */
    public void saveScreenshot(Path file, boolean whole) throws IOException {
        String png = send("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", whole))
                .path("data")
                .asText();
        if (file.getParent() != null) {
            Files.createDirectories(file.getParent());
        }
        Files.write(file, Base64.getDecoder().decode(png));
    }

    @Override
    public void close() {
        tools.send("", "Target.closeTarget", Map.of("targetId", target));
    }

    static String quoted(String text) {
        return DevTools.JSON.getNodeFactory().textNode(text).toString();
    }
}
