package io.osmhub.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class LoggingTest {
    @Test
    void librariesDoNotTellWhatTheyAreGiven() {
        Logger handlebars = LoggerFactory.getLogger("com.github.jknack.handlebars");

        assertThat(handlebars.isDebugEnabled()).isFalse();
    }
}
