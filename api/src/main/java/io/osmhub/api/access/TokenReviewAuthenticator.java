package io.osmhub.api.access;

import io.fabric8.kubernetes.api.model.authentication.TokenReview;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewStatus;
import io.fabric8.kubernetes.api.model.authentication.UserInfo;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.model.Sha256;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import java.time.Duration;
import java.util.List;
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

    private final KubeApi managementApi;
    private final List<String> audiences;
    private final Predicate<String> isIdToken;
    private final Duration lifetime;
    private final ReviewMetrics reviewMetrics;
    private final ReviewCache<String, Optional<Caller>> reviewCache;

    /**
     * A caching authenticator.
     *
     * @param audiences accepted audiences of tokens; empty accepts any
     * @param isIdToken whether a token claims to be an ID token for the hub's OIDC client. The API server accepts ID tokens only for its
     *     own audiences, so none is demanded; it verifies the claims
     * @param lifetime lifetime of a cached result, including negative ones
     */
    public TokenReviewAuthenticator(
            KubeApi managementApi,
            List<String> audiences,
            Predicate<String> isIdToken,
            Duration lifetime,
            LongSupplier nanoTime,
            ReviewMetrics reviewMetrics) {
        this.managementApi = managementApi;
        this.audiences = List.copyOf(audiences);
        this.isIdToken = isIdToken;
        this.lifetime = lifetime;
        this.reviewMetrics = reviewMetrics;
        this.reviewCache = new ReviewCache<>(REMEMBERED, lifetime, nanoTime);
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
            ReviewCache.CacheLookup<Optional<Caller>> answer = reviewCache.get(digest(text), () -> sendReview(text));
            reviewMetrics.onReviewed(
                    ReviewMetrics.Kind.TOKEN,
                    answer.value().isPresent() ? ReviewMetrics.Result.ALLOWED : ReviewMetrics.Result.DENIED,
                    answer.fromCache());
            return answer.value();
        } catch (ApiFailure failure) {
            reviewMetrics.onReviewed(ReviewMetrics.Kind.TOKEN, ReviewMetrics.Result.ERROR, false);
            throw ReviewErrors.toProblem(failure);
        } catch (InterruptedException e) {
            throw ReviewErrors.shuttingDown();
        }
    }

    /** Whether the result is cached. Must not block. */
    boolean isCached(Sensitive token) {
        String text = token.reveal();
        return !isToken(text)
                || reviewCache
                        .getWithAge(digest(text))
                        .filter(answer -> answer.age().compareTo(lifetime) < 0)
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
        List<String> demanded = isIdToken.test(token) ? List.of() : audiences;
        TokenReview review = new TokenReviewBuilder()
                .withNewSpec()
                .withToken(token)
                .withAudiences(demanded)
                .endSpec()
                .build();
        TokenReviewStatus status = managementApi
                .call(client -> client.tokenReviews().create(review))
                .getStatus();
        UserInfo user = status == null || !Boolean.TRUE.equals(status.getAuthenticated()) ? null : status.getUser();
        if (status == null
                || user == null
                || user.getUsername() == null
                || user.getUsername().isEmpty()
                || !hasAcceptedAudience(demanded, status.getAudiences())) {
            return Optional.empty();
        }
        String uid = user.getUid() == null ? "" : user.getUid();
        return Optional.of(new Caller(user.getUsername(), uid, user.getGroups(), user.getExtra(), null));
    }

    /** An API server without audience support returns none: the token is then valid for that server, not for the hub. */
    private static boolean hasAcceptedAudience(List<String> demanded, List<String> granted) {
        return demanded.isEmpty() || granted.stream().anyMatch(demanded::contains);
    }
}
