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

/** One tab of a browser, as somebody uses it: goes to pages, presses keys, looks. */
public final class Tab implements AutoCloseable {
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Duration BETWEEN = Duration.ofMillis(50);
    /** Keys that are no character. */
    private static final Map<String, Integer> NAMED =
            Map.of("Enter", 13, "Escape", 27, "Tab", 9, "ArrowDown", 40, "ArrowUp", 38);

    private final DevTools tools;
    private final String target;
    private final String session;
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    private Tab(DevTools tools, String target, String session) {
        this.tools = tools;
        this.target = target;
        this.session = session;
    }

    static Tab open(DevTools tools) {
        String context = tools.send("", "Target.createBrowserContext", Map.of())
                .path("browserContextId")
                .asText();
        String target = tools.send("", "Target.createTarget", Map.of("url", "about:blank", "browserContextId", context))
                .path("targetId")
                .asText();
        String session = tools.send("", "Target.attachToTarget", Map.of("targetId", target, "flatten", true))
                .path("sessionId")
                .asText();
        Tab tab = new Tab(tools, target, session);
        tools.listen(tab::hear);
        for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
            tab.send(domain + ".enable", Map.of());
        }
        tab.size(1440, 900);
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
                complaints.add(parameters.path("exceptionDetails").toString());
            case "Log.entryAdded" -> {
                JsonNode entry = parameters.path("entry");
                if (entry.path("level").asText().equals("error")) {
                    complaints.add(entry.path("text").asText() + " "
                            + entry.path("url").asText());
                }
            }
            case "Runtime.consoleAPICalled" -> {
                if (parameters.path("type").asText().equals("error")) {
                    complaints.add(parameters.path("args").toString());
                }
            }
            case "Network.requestWillBeSent" ->
                requests.add(parameters.path("request").path("url").asText());
            default -> {}
        }
    }

    /** What the page complained of: exceptions, errors, and what its policy held back. */
    public List<String> complaints() {
        return List.copyOf(complaints);
    }

    /** Forgets what was complained of. */
    public void forgive() {
        complaints.clear();
    }

    /** Addresses that were asked for. */
    public List<String> requests() {
        return List.copyOf(requests);
    }

    /** Goes to an address and waits until the page is there. */
    public Tab go(String address) {
        JsonNode went = send("Page.navigate", Map.of("url", address));
        if (went.has("errorText")) {
            throw new IllegalStateException(
                    address + ": " + went.path("errorText").asText());
        }
        return loaded();
    }

    /** Waits until the page that is on its way is there. */
    public Tab loaded() {
        return until("document.readyState === 'complete' && location.href !== 'about:blank'");
    }

    /** Value of an expression in the page. */
    public JsonNode ask(String expression) {
        JsonNode answer =
                send("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
        if (answer.has("exceptionDetails")) {
            throw new IllegalStateException(expression + ": " + answer.path("exceptionDetails"));
        }
        return answer.path("result").path("value");
    }

    /** Text of the first element that a selector finds; empty when there is none. */
    public String text(String selector) {
        return ask("document.querySelector(" + quoted(selector) + ")?.textContent.replace(/\\s+/g, ' ').trim() ?? ''")
                .asText();
    }

    /** Everything that can be read on the page. */
    public String text() {
        return ask("document.body.innerText").asText();
    }

    public int count(String selector) {
        return ask("document.querySelectorAll(" + quoted(selector) + ").length").asInt();
    }

    /** Waits until an expression is true. */
    public Tab until(String condition) {
        long limit = System.nanoTime() + LONGEST.toNanos();
        String last = "";
        while (System.nanoTime() < limit) {
            try {
                if (ask(condition).asBoolean()) {
                    return this;
                }
                last = "";
            } catch (IllegalStateException between) {
                // Between two pages there is nobody to ask.
                last = String.valueOf(between.getMessage());
            }
            pause(BETWEEN);
        }
        throw new AssertionError("never true within " + LONGEST.toSeconds() + " s: " + condition + " " + last + "\non "
                + ask("location.href").asText() + ":\n" + text());
    }

    /** Waits until a text stands somewhere on the page. */
    public Tab untilShown(String text) {
        return until("document.body.innerText.includes(" + quoted(text) + ")");
    }

    /** Presses the first thing that a selector finds. */
    public Tab click(String selector) {
        if (!ask("(() => { const found = document.querySelector(" + quoted(selector)
                        + "); found?.click(); return !!found; })()")
                .asBoolean()) {
            throw new AssertionError("nothing to press: " + selector + " on " + text());
        }
        return this;
    }

    /** Puts text into a field as if it had been pasted. */
    public Tab fill(String selector, String text) {
        until("document.querySelector(" + quoted(selector) + ") !== null");
        ask("document.querySelector(" + quoted(selector) + ").focus()");
        send("Input.insertText", Map.of("text", text));
        return this;
    }

    /** Presses keys, one after the other: single characters, or names such as Enter. */
    public Tab press(String... keys) {
        for (String key : keys) {
            Integer code = NAMED.get(key);
            if (code != null) {
                String text = key.equals("Enter") ? "\r" : "";
                Map<String, Object> down = new HashMap<>(
                        Map.of("type", text.isEmpty() ? "rawKeyDown" : "keyDown", "key", key, "code", key));
                down.put("windowsVirtualKeyCode", code);
                if (!text.isEmpty()) {
                    down.put("text", text);
                }
                send("Input.dispatchKeyEvent", down);
            } else {
                send("Input.dispatchKeyEvent", Map.of("type", "keyDown", "key", key, "text", key));
            }
            send("Input.dispatchKeyEvent", Map.of("type", "keyUp", "key", key));
        }
        return this;
    }

    /** Size of the window, in CSS pixels. */
    public Tab size(int width, int height) {
        send(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        return this;
    }

    /** What the reader's system prefers: light or dark. */
    public Tab prefers(String scheme) {
        send(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        return this;
    }

    /** Whether scripts run at all. */
    public Tab scripts(boolean run) {
        send("Emulation.setScriptExecutionDisabled", Map.of("value", !run));
        return this;
    }

    /** Writes what is seen, from the top of the page to its end, as PNG. */
    public void picture(Path file, boolean whole) throws IOException {
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

    private static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }
}
