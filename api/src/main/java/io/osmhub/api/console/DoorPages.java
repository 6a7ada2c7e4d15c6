package io.osmhub.api.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.api.http.Reply;
import io.osmhub.api.inventory.ProblemEntries;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.ProblemType;
import io.osmhub.core.problem.MessageFormatter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Pages that are shown without a session: sign-in, and why a page cannot be shown. They need no script. */
final class DoorPages {
    private final String door;
    private final String signIn = ConsoleAssets.text("pages/signin.html");

    DoorPages(String version) {
        door = ConsoleAssets.text("pages/door.html").replace("@version@", version);
    }

    /**
     * The sign-in page.
     *
     * @param back page to go to afterwards
     * @param refusal why a sign-in failed; empty at first
     * @param provider name of the OIDC provider; null without one
     */
    Reply.ReplyContent signIn(String back, String refusal, @Nullable String provider, String providerPage) {
        String notice = refusal.isEmpty()
                ? ""
                : "<div class=\"notice bad\" role=\"alert\"><span></span><p>" + shown(refusal) + "</p></div>\n";
        String button = provider == null
                ? ""
                : "<p><a class=\"btn primary\" href=\"" + shown(providerPage) + "\">Sign in with <bdi>"
                        + shown(provider) + "</bdi></a></p>\n<p class=\"small muted\">Or with a token:</p>\n";
        String form = signIn.replace("@back@", shown(back))
                .replace("@refusal@", notice)
                .replace("@provider@", button)
                .replace("btn primary\" type", provider == null ? "btn primary\" type" : "btn\" type");
        return page("Sign in", "", form);
    }

    /** Continues to a page of the console, as a navigation of its own. */
    Reply.ReplyContent signedIn(String back) {
        String refresh = "\n  <meta http-equiv=\"refresh\" content=\"0;url=" + shown(back) + "\">";
        return page(
                "Signed in",
                refresh,
                "<div class=\"head\"><h1>Signed in</h1></div>\n<p><a class=\"btn primary\" href=\"" + shown(back)
                        + "\">Continue</a></p>");
    }

    /** Why a page cannot be shown. What is missing and what may not be viewed read the same. */
    Reply.ReplyContent problem(ApiProblem problem, String requestId) {
        boolean missing = problem.type() == ProblemType.NOT_FOUND;
        String title = problem.type().title();
        Duration wait = problem.retryAfter();
        String detail = missing ? "Both cases show the same message." : ProblemEntries.capital(problem.detail());
        return page(
                title,
                "",
                "<div class=\"head\"><h1>" + shown(missing ? "Page not found, or you may not view it" : title)
                        + "</h1><p class=\"soft\">" + shown(detail) + "</p></div>\n<dl class=\"facts\">"
                        + fact("Status", String.valueOf(problem.status()))
                        + (requestId.isEmpty() ? "" : fact("Request", requestId))
                        + (wait == null ? "" : fact("Try again", "in " + Math.max(1, wait.toSeconds()) + " s"))
                        + "</dl>\n<p><a class=\"btn\" href=\"/\">Go to the first page</a></p>");
    }

    private static String fact(String word, String value) {
        return "<dt>" + word + "</dt><dd>" + shown(value) + "</dd>";
    }

    private Reply.ReplyContent page(String title, String refresh, String content) {
        String html = door.replace("@title@", shown(title))
                .replace("@refresh@", refresh)
                .replace("@content@", content);
        return new Reply.ReplyContent("text/html; charset=utf-8", html.getBytes(UTF_8));
    }

    /** A text as content of an element or of a quoted attribute. */
    private static String shown(String text) {
        return MessageFormatter.visible(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
