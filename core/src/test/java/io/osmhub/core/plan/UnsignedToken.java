package io.osmhub.core.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.bootstrap.FetchToken;
import io.osmhub.core.model.Sensitive;
import java.time.Instant;
import java.util.Base64;
import java.util.Objects;

/** An unsigned ServiceAccount token: decisions read only its claims. */
final class UnsignedToken {
    private UnsignedToken() {}

    /** @param number makes it another text than those before */
    static FetchToken of(StoredGrant account, Instant from, Instant until, long number) {
        String claims =
                "{\"sub\":\"system:serviceaccount:cloud-init-settings:%s\",\"iat\":%d,\"exp\":%d,\"jti\":\"%d\","
                                .formatted(account.name(), from.getEpochSecond(), until.getEpochSecond(), number)
                        + "\"kubernetes.io\":{\"serviceaccount\":{\"uid\":\"%s\"}}}".formatted(account.uid());
        String text = base64("{\"alg\":\"RS256\"}") + "." + base64(claims) + "." + base64("signature " + number);
        return Objects.requireNonNull(FetchToken.read(new Sensitive(text)));
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(UTF_8));
    }
}
