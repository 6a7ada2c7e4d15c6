package io.osmhub.deploy.run;

import io.osmhub.api.admission.AdmissionServer;
import io.osmhub.api.http.HttpObserver;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.workersync.port.RunTracer;
import io.osmhub.workersync.port.TracedRun;
import java.util.Map;

/** Follows the hub's work for traces, if that is wanted. */
interface Tracing extends RunTracer {
    /** Follows requests besides counting them. */
    HttpObserver http(HttpObserver counted);

    /** Follows answers to API servers besides counting them. */
    AdmissionServer.Observer admission(AdmissionServer.Observer counted);

    /** Sends what is left, for a moment. */
    void close();

    /**
     * As it is configured. While it is off, no class of a tracing library is loaded.
     *
     * @param environment names the receiver where the configuration does not
     */
    static Tracing of(HubConfiguration.Tracing wanted, String replica, Map<String, String> environment) {
        return wanted.enabled() ? OtlpTracing.start(wanted, replica, environment) : new Off();
    }

    /** Nobody follows. */
    final class Off implements Tracing {
        @Override
        public boolean isOn() {
            return false;
        }

        @Override
        public void ran(TracedRun run) {
            // Nobody follows.
        }

        @Override
        public HttpObserver http(HttpObserver counted) {
            return counted;
        }

        @Override
        public AdmissionServer.Observer admission(AdmissionServer.Observer counted) {
            return counted;
        }

        @Override
        public void close() {
            // Nothing was begun.
        }
    }
}
