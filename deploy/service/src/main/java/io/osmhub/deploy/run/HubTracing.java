package io.osmhub.deploy.run;

import io.osmhub.api.admission.AdmissionServer;
import io.osmhub.api.http.HttpObserver;
import io.osmhub.deploy.config.HubConfiguration;
import io.osmhub.workersync.port.RunTracer;
import java.io.IOException;

/** Traces the hub's work if enabled; otherwise does nothing. */
interface HubTracing extends RunTracer {
    /** Traces requests in addition to counting them. */
    default HttpObserver observeHttp(HttpObserver counted) {
        return counted;
    }

    /** Traces admission reviews in addition to counting them. */
    default AdmissionServer.AdmissionObserver observeAdmission(AdmissionServer.AdmissionObserver counted) {
        return counted;
    }

    /** Sends remaining spans, with a short timeout. */
    default void close() {}

    /**
     * Creates tracing as configured. While disabled, loads no class of a tracing library.
     *
     * @throws IOException if an environment variable of OpenTelemetry is not usable
     */
    static HubTracing of(HubConfiguration.Tracing wanted, String replica) throws IOException {
        return wanted.enabled() ? OtlpTracing.start(wanted, replica) : new HubTracing() {};
    }
}
