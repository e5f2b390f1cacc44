/** Temporal's runtime, saying nothing below errors: workers report every change of their state. */
import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';

Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: {
    logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) },
  },
});
