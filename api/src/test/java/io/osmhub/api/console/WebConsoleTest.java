package io.osmhub.api.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.api.access.LocalSessionKeys;
import io.osmhub.api.http.Reply;
import io.osmhub.api.http.WebPage;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.core.model.Sensitive;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class WebConsoleTest {
    private static final Path ASSETS = Path.of("src/main/resources/io/osmhub/api/console/assets");
    private static final Pattern IMPORT = Pattern.compile("(?:from|import)\\s*\\(?\"([./][^\"]+)\"");

    private final WebConsole console =
            new WebConsole(LocalSessionKeys.sessionsFor("good"), null, InstantSource.system());

    private Reply reply(String method, String address, Map<String, String> form) throws ApiProblem {
        String path = address.contains("?") ? address.substring(0, address.indexOf('?')) : address;
        for (WebPage page : console.pages()) {
            Optional<Map<String, String>> parts = match(page.path(), path);
            if (page.method().equals(method) && parts.isPresent()) {
                return page.answer().handle(PageVisit.to(address, parts.get()).sending(form));
            }
        }
        throw new AssertionError("no page " + method + " " + address);
    }

    private static Optional<Map<String, String>> match(String pattern, String path) {
        String[] wanted = pattern.split("/", -1);
        String[] given = path.split("/", -1);
        Map<String, String> parts = new HashMap<>();
        for (int at = 0; at < wanted.length; at++) {
            if (wanted.length != given.length) {
                return Optional.empty();
            } else if (wanted[at].startsWith("{")) {
                parts.put(wanted[at].substring(1, wanted[at].length() - 1), given[at]);
            } else if (!wanted[at].equals(given[at])) {
                return Optional.empty();
            }
        }
        return Optional.of(parts);
    }

    private static byte[] bytes(Reply reply) {
        if (!(reply.body() instanceof Reply.ReplyContent content)) {
            throw new AssertionError("no content but " + reply);
        }
        return content.bytes();
    }

    private static String html(Reply reply) {
        return new String(bytes(reply), UTF_8);
    }

    // --- views

    @Test
    void everyViewIsTheSamePageUnderThePolicyOfTheDesign() throws Exception {
        Reply first = reply("GET", "/", Map.of());

        assertThat(reply("GET", "/clusters/a/b", Map.of())).isEqualTo(first);
        assertThat(first.headers())
                .containsEntry(
                        "Content-Security-Policy",
                        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
                                + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
                                + "require-trusted-types-for 'script'; trusted-types lit-html")
                .containsEntry("Cache-Control", "no-store");
        assertThat(html(first)).doesNotContain("@version@", "@preload@", "@kubernetes@", "<style", " style=");
    }

    @Test
    void theScriptKnowsTheAddressesOfAllViews() throws Exception {
        String script = Files.readString(ASSETS.resolve("app.js"));
        Matcher routes = Pattern.compile("\\[\"(/[^\"]*)\", \"./views/").matcher(script);

        assertThat(routes.results().map(route -> route.group(1)))
                .containsExactlyInAnyOrderElementsOf(WebConsole.VIEWS.stream()
                        .map(path -> path.replaceAll("\\{[A-Za-z]+}", ":"))
                        .toList());
    }

    // --- files

    @Test
    void everyFileIsServedAndEveryImportIsAFile() throws Exception {
        try (Stream<Path> files = Files.walk(ASSETS)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (file.endsWith("console.html")) {
                    continue;
                }
                String name = ASSETS.relativize(file).toString();
                assertThat(file(name)).as(name).isEqualTo(Files.readAllBytes(file));
                Matcher imports = IMPORT.matcher(name.endsWith(".js") ? Files.readString(file) : "");
                while (imports.find()) {
                    Path imported =
                            Path.of(name).resolveSibling(imports.group(1)).normalize();
                    assertThat(file(imported.toString()))
                            .as(name + " imports " + imported)
                            .isNotEmpty();
                }
            }
        }
    }

    private byte[] file(String name) throws ApiProblem {
        return bytes(reply("GET", address(name), Map.of()));
    }

    private String address(String name) throws ApiProblem {
        Matcher version =
                Pattern.compile("/console/([0-9a-f]{12})/console.css").matcher(html(reply("GET", "/", Map.of())));
        assertThat(version.find()).isTrue();
        return "/console/" + version.group(1) + "/" + name;
    }

    @Test
    void aFileIsKeptByBrowsersOnlyUnderItsOwnVersion() throws Exception {
        assertThat(reply("GET", address("app.js"), Map.of()).headers().get("Cache-Control"))
                .contains("immutable");
        assertThat(reply("GET", "/console/000000000000/app.js", Map.of()).headers())
                .containsEntry("Cache-Control", "no-store");
    }

    @Test
    void theScriptsAreSmall() throws IOException, ApiProblem {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (Stream<Path> files = Files.walk(ASSETS);
                GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".js")).toList()) {
                Files.copy(file, gzip);
            }
            gzip.write(file("lit-html/lit-html.js"));
        }

        assertThat(packed.size()).isLessThan(60_000);
    }

    // --- sign-in

    @Test
    void signingInSetsTheCookieAndGoesBackOnlyWithinTheConsole() throws Exception {
        Reply reply = reply("POST", "/signin", Map.of("token", "good", "back", "//evil.example"));

        assertThat(reply.headers()).containsEntry("Location", "/").containsKey("Set-Cookie");
        assertThat(reply("POST", "/signin", Map.of("token", "good", "back", "/problems?reason=A"))
                        .headers())
                .containsEntry("Location", "/problems?reason=A");
    }

    @Test
    void theDoorNamesARoleThatIsShipped() throws Exception {
        Path roles = Path.of("../deploy/packaging/manifests/roles.yaml");

        assertThat(html(reply("GET", "/signin", Map.of()))).contains("<code>osmhub.io:viewer</code>");
        assertThat(Files.readString(roles, UTF_8)).contains("name: osmhub.io:viewer");
    }

    @Test
    void aLinkSignsInOnceAndOnlyOnce() throws Exception {
        String link = console.createSignInLink(new Sensitive("good"));

        assertThat(reply("GET", link, Map.of()).headers())
                .containsEntry("Location", "/")
                .containsKey("Set-Cookie");
        assertThat(reply("GET", link, Map.of()).status()).isEqualTo(401);
        assertThat(reply("GET", "/signin/once?code=guessed", Map.of()).status()).isEqualTo(401);
    }

    @Test
    void aRefusedTokenIsNotShownAgain() throws Exception {
        Reply reply = reply("POST", "/signin", Map.of("token", "wrong-canary"));

        assertThat(reply.status()).isEqualTo(401);
        assertThat(html(reply)).contains("does not accept this token").doesNotContain("canary", "@");
    }

    @Test
    void noTextOfARequestBecomesMarkup() throws Exception {
        assertThat(html(reply("GET", "/signin?back=/%22%3E%3Cimg%3E", Map.of())))
                .contains("value=\"/&quot;&gt;&lt;img&gt;")
                .doesNotContain("<img>");
        assertThat(html(console.renderProblem(ApiProblem.badRequest("<b>\u202E\"'"), "r1")))
                .contains("&lt;b&gt;")
                .doesNotContain("<b>", "\u202E");
    }

    private static String html(Reply.ReplyContent content) {
        return new String(content.bytes(), UTF_8);
    }

    @ParameterizedTest
    @CsvSource({
        "/, /",
        "/problems, /problems",
        "//evil, /",
        "/\\evil, /",
        "https://evil, /",
        "javascript:alert(1), /",
        "'', /"
    })
    void goesBackOnlyToAPageOfItsOwn(String back, String to) {
        assertThat(WebConsole.local(back)).isEqualTo(to);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a\u0000b", "/a\u001bb", "/a\u007fb", "/a\u0085b", "/a\r\nSet-Cookie: b", "/a\u202eb"})
    void goesToNoPageWithControlCharacters(String back) {
        assertThat(WebConsole.local(back)).isEqualTo("/");
    }

    @Test
    void whatIsNotThereAndWhatMayNotBeSeenReadTheSame() {
        assertThat(html(console.renderProblem(ApiProblem.notFound("WorkerCluster secret-name"), "r1")))
                .contains("Page not found, or you may not view it")
                .doesNotContain("secret-name");
    }
}
