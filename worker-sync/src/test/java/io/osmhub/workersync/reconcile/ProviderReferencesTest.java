package io.osmhub.workersync.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.core.machine.ReferenceResolver.Answer;
import io.osmhub.core.machine.ReferenceResolver.Kind;
import io.osmhub.core.machine.ReferenceResolver.Reference;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.fake.FakeApiServer;
import io.osmhub.workersync.fake.SyncWorld;
import io.osmhub.workersync.fake.VirtualTime;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ProviderReferencesTest {
    private final VirtualTime time = new VirtualTime();
    private final FakeApiServer worker = new FakeApiServer(time);
    private final ProviderReferences references = new ProviderReferences(worker, time);

    private Answer resolve(String name) throws ApiFailure {
        worker.put(Resource.SECRETS, SyncWorld.secret("n", name, Map.of("key", "value of " + name)), "kubectl");
        Reference reference = new Reference(Kind.SECRET, "n", name, "key");
        ProviderReferences.Session session = references.session();
        assertThatThrownBy(() -> session.resolve(reference)).hasMessageContaining("not fetched yet");
        session.fetch();
        return session.resolve(reference);
    }

    /** Credentials of clouds: nothing asks again for one that no provider config names any more. */
    @Test
    void keepsNoCredentialLongerThanItCounts() throws ApiFailure {
        assertThat(resolve("a")).isEqualTo(new Answer.Found("value of a"));
        assertThat(resolve("b")).isEqualTo(new Answer.Found("value of b"));
        assertThat(references.remembered()).isEqualTo(2);

        time.pass(ProviderReferences.FRESH.plus(Duration.ofSeconds(1)));
        resolve("c");

        assertThat(references.remembered()).isEqualTo(1);
    }
}
