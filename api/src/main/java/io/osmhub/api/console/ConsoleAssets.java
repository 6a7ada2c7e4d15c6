package io.osmhub.api.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.api.http.PageCall;
import io.osmhub.api.http.Reply;
import io.osmhub.api.http.WebPage;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.core.model.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The console's files: read once, at an address with their version, so that browsers keep them until one changes. Immutable.
 *
 * <p>During an update, a page of one replica may get a file of another version from a replica. It is not kept.
 */
final class ConsoleAssets {
    private static final List<String> FILES = List.of(
            "console.css",
            "mark.svg",
            "theme.js",
            "api.js",
            "app.js",
            "badges.js",
            "charts.js",
            "documents.js",
            "find.js",
            "keys.js",
            "parts.js",
            "report.js",
            "text.js",
            "views/cluster.js",
            "views/find.js",
            "views/fleet.js",
            "views/history.js",
            "views/machine.js",
            "views/machine-deployment.js",
            "views/problems.js",
            "views/profile.js",
            "views/profiles.js",
            "views/register.js",
            "views/resolved.js");

    private static final String LIBRARY = "lit-html/lit-html.js";

    private static final Map<String, String> TYPES = Map.of(
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml");

    private final Map<String, byte[]> files = new TreeMap<>();
    private final String version;

    ConsoleAssets() {
        FILES.forEach(name -> files.put(name, read("assets/" + name)));
        files.put(LIBRARY, read("/META-INF/resources/webjars/lit-html/" + libraryVersion() + "/lit-html.js"));
        MessageDigest digest = Sha256.newDigest();
        files.values().forEach(digest::update);
        version = HexFormat.of().formatHex(digest.digest(), 0, 6);
    }

    /** Differs if any file differs. */
    String version() {
        return version;
    }

    /** Addresses of the modules that every page loads. */
    List<String> modules() {
        return files.keySet().stream()
                .filter(name -> name.endsWith(".js") && !name.startsWith("views/") && !name.equals("theme.js"))
                .map(name -> "/console/" + version + "/" + name)
                .toList();
    }

    List<WebPage> pages() {
        List<WebPage> pages = new ArrayList<>();
        pages.add(WebPage.get("/console/{version}/{file}", call -> file(call, call.path("file")))
                .withoutSignIn());
        pages.add(WebPage.get(
                        "/console/{version}/{folder}/{file}",
                        call -> file(call, call.path("folder") + "/" + call.path("file")))
                .withoutSignIn());
        // Other pages show it, too.
        pages.add(WebPage.get("/console/mark.svg", call -> reply("mark.svg", "public, max-age=3600"))
                .withoutSignIn());
        return pages;
    }

    private Reply file(PageCall call, String name) throws ApiProblem {
        if (!files.containsKey(name)) {
            throw ApiProblem.notFound("file " + name + " of the console");
        }
        return reply(name, call.path("version").equals(version) ? "public, max-age=31536000, immutable" : "no-store");
    }

    private Reply reply(String name, String caching) {
        String type = TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "");
        return new Reply(
                200,
                new Reply.ReplyContent(type, files.getOrDefault(name, new byte[0])),
                Map.of("Cache-Control", caching, "X-Content-Type-Options", "nosniff"));
    }

    /** As the build declares it: the library's archive names it in its files. */
    private static String libraryVersion() {
        return text("/META-INF/maven/org.webjars.npm/lit-html/pom.properties")
                .lines()
                .filter(line -> line.startsWith("version="))
                .map(line -> line.substring("version=".length()))
                .findFirst()
                .orElseThrow();
    }

    /** The text of a resource of this package. */
    static String text(String name) {
        return new String(read(name), UTF_8);
    }

    private static byte[] read(String name) {
        try (InputStream in = ConsoleAssets.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("missing file of the console: " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name + " of the console", e);
        }
    }
}
