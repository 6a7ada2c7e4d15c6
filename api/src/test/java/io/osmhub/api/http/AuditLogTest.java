package io.osmhub.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.api.contract.ApiContract;
import io.osmhub.api.contract.ContractOperation;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class AuditLogTest {
    /** Read-only operations with a request body. */
    private static final Set<String> PREVIEWS = Set.of("render", "diff");

    @Test
    void everyOperationThatWritesHasAnAction() {
        Set<String> notReads = ApiContract.load().operations().stream()
                .filter(operation -> !operation.method().equals("GET"))
                .map(ContractOperation::id)
                .collect(Collectors.toSet());

        Set<String> known = new HashSet<>(AuditLog.ACTIONS.keySet());
        known.addAll(PREVIEWS);

        assertThat(known).isEqualTo(notReads);
    }
}
