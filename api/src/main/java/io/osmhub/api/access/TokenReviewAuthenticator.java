package io.osmhub.api.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.model.Sha256;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Authenticates tokens by TokenReview of the management cluster. Thread-safe. */
public final class TokenReviewAuthenticator {
    private static final int REMEMBERED = 10_000;
    private static final int LONGEST_TOKEN = 16_384;
    /** RFC 6750; other text is not a token and is not sent. */
    private static final Pattern TOKEN = Pattern.compile("[-A-Za-z0-9._~+/]+=*");

    private static final ObjectMapper JSON = new ObjectMapper();

    private final KubeApi management;
    private final List<String> audiences;
    private final Predicate<String> isIdToken;
    private final Duration life;
    private final ReviewMetrics meter;
    private final ReviewCache<String, Optional<Caller>> cache;

    /**
     * A caching authenticator.
     *
     * @param audiences accepted audiences of tokens; empty accepts any
     * @param isIdToken whether a token claims to be an ID token for the hub's OIDC client. The API server accepts ID tokens only for its
     *     own audiences, so none is demanded; it verifies the claims
     * @param life lifetime of a cached result, including negative ones
     */
    public TokenReviewAuthenticator(
            KubeApi management,
            List<String> audiences,
            Predicate<String> isIdToken,
            Duration life,
            LongSupplier nanoTime,
            ReviewMetrics meter) {
        this.management = management;
        this.audiences = List.copyOf(audiences);
        this.isIdToken = isIdToken;
        this.life = life;
        this.meter = meter;
        this.cache = new ReviewCache<>(REMEMBERED, life, nanoTime);
    }

    /**
     * The token's user; empty if the management cluster rejects it, or its audience differs. Blocks.
     *
     * @throws ApiProblem if the management cluster does not respond
     */
    public Optional<Caller> authenticate(Sensitive token) throws ApiProblem {
        String text = token.reveal();
        if (!isToken(text)) {
            return Optional.empty();
        }
        try {
            ReviewCache.CacheLookup<Optional<Caller>> answer = cache.get(digest(text), () -> sendReview(text));
            meter.onReviewed(
                    ReviewMetrics.Kind.TOKEN,
                    answer.value().isPresent() ? ReviewMetrics.Result.ALLOWED : ReviewMetrics.Result.DENIED,
                    answer.fromCache());
            return answer.value();
        } catch (ApiFailure failure) {
            meter.onReviewed(ReviewMetrics.Kind.TOKEN, ReviewMetrics.Result.ERROR, false);
            throw ReviewErrors.toProblem(failure);
        } catch (InterruptedException e) {
            throw ReviewErrors.shuttingDown();
        }
    }

    /** Whether the result is cached. Must not block. */
    boolean isCached(Sensitive token) {
        String text = token.reveal();
        return !isToken(text)
                || cache.getWithAge(digest(text))
                        .filter(answer -> answer.age().compareTo(life) < 0)
                        .isPresent();
    }

    private static boolean isToken(String text) {
        return text.length() <= LONGEST_TOKEN && TOKEN.matcher(text).matches();
    }

    /** The token is not stored. */
    static String digest(String token) {
        return Sha256.hex(token);
    }

    private Optional<Caller> sendReview(String token) throws ApiFailure {
        ObjectNode review = JSON.createObjectNode()
                .put("apiVersion", Resource.TOKEN_REVIEWS.apiVersion())
                .put("kind", "TokenReview");
        ObjectNode spec = review.putObject("spec").put("token", token);
        List<String> demanded = isIdToken.test(token) ? List.of() : audiences;
        if (!demanded.isEmpty()) {
            demanded.forEach(spec.putArray("audiences")::add);
        }
        JsonNode status = WireJson.response(
                        management.send(ApiRequest.create(Resource.TOKEN_REVIEWS, "", review.toString())),
                        "a TokenReview")
                .path("status");
        JsonNode user = status.path("user");
        String name = user.path("username").asText();
        if (!status.path("authenticated").asBoolean()
                || name.isEmpty()
                || !hasAcceptedAudience(demanded, status.path("audiences"))) {
            return Optional.empty();
        }
        return Optional.of(new Caller(name, user.path("uid").asText(), texts(user.path("groups")), extra(user), null));
    }

    /** An API server without audience support returns none: the token is then valid for that server, not for the hub. */
    private static boolean hasAcceptedAudience(List<String> demanded, JsonNode granted) {
        return demanded.isEmpty() || texts(granted).stream().anyMatch(demanded::contains);
    }

    private static Map<String, List<String>> extra(JsonNode user) {
        Map<String, List<String>> extra = new HashMap<>();
        user.path("extra").properties().forEach(entry -> extra.put(entry.getKey(), texts(entry.getValue())));
        return extra;
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(each -> texts.add(each.asText()));
        return texts;
    }
}
