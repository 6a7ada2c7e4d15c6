package io.osmhub.workersync.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.core.machine.CloudProviderSpec.ReferenceResolver.Kind;
import io.osmhub.core.machine.CloudProviderSpec.ReferenceResolver.Reference;
import io.osmhub.core.machine.CloudProviderSpec.ReferenceResolver.ResolveResult;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.fake.FakeApiServer;
import io.osmhub.workersync.fake.SyncWorld;
import io.osmhub.workersync.fake.VirtualTime;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ProviderReferenceCacheTest {
    private final VirtualTime time = new VirtualTime();
    private final FakeApiServer worker = new FakeApiServer(time);
    private final ProviderReferenceCache references = new ProviderReferenceCache(worker, time);

    private ResolveResult resolve(String name) throws ApiFailure {
        worker.put(Resource.SECRETS, SyncWorld.secret("n", name, Map.of("key", "value of " + name)), "kubectl");
        Reference reference = new Reference(Kind.SECRET, "n", name, "key");
        ProviderReferenceCache.ReferenceSession session = references.openSession();
        assertThatThrownBy(() -> session.resolve(reference)).hasMessageContaining("not fetched yet");
        session.fetch();
        return session.resolve(reference);
    }

    /** Cloud credentials: those that no provider config references any more must not stay in memory. */
    @Test
    void keepsNoCredentialLongerThanItCounts() throws ApiFailure {
        assertThat(resolve("a")).isEqualTo(new ResolveResult.Found("value of a"));
        assertThat(resolve("b")).isEqualTo(new ResolveResult.Found("value of b"));
        assertThat(references.cachedCount()).isEqualTo(2);

        time.pass(ProviderReferenceCache.FRESH.plus(Duration.ofSeconds(1)));
        resolve("c");

        assertThat(references.cachedCount()).isEqualTo(1);
    }
}
