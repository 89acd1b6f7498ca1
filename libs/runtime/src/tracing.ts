import { z } from 'zod';
import type { Log } from './log';
import type { Tracer } from './tracer';
import { ownVersions } from './version';

/**
 * What OpenTelemetry is told by its own standard names; its SDK reads them, and others that it knows, by itself. Without an endpoint
 * there are no spans, and nothing of the SDK is loaded.
 */
export const tracingSettings = {
  /** Where the collector takes OTLP over HTTP, without the path: `http://collector:4318`. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.enum(['http/protobuf', 'http/json']).default('http/protobuf'),
  /** What the collector wants to see of us, as `authorization=Bearer …`. */
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_TRACES_SAMPLER: z.enum(['always_on', 'always_off', 'traceidratio', 'parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio']).optional(),
  /** The part that is recorded, for the samplers by ratio. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number('must be a number from 0 to 1').min(0, 'must be at least 0').max(1, 'must be at most 1').optional(),
  /** What else all spans say of where they come from, as `deployment.environment.name=production`. */
  OTEL_RESOURCE_ATTRIBUTES: z.string().optional(),
};

type AllTracingSettings = z.output<z.ZodObject<typeof tracingSettings>>;
type TracingSettings = Pick<AllTracingSettings, 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_EXPORTER_OTLP_PROTOCOL'> & Partial<AllTracingSettings>;

/** How long the process waits at its end for the collector to take the last spans. */
const farewellMs = 2_000;
/** While the collector is away each batch would be a line. */
const complainEveryMs = 60_000;

/** @returns nothing where no endpoint is set. `stop` sends what is left, and takes its time for that but not for ever. */
export async function startTracing(name: string, settings: TracingSettings, log: Log): Promise<{ tracer: Tracer; stop: () => Promise<void> } | undefined> {
  if (settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return undefined;
  // The SDK reads the environment by itself and knows nothing of settings that came from files.
  for (const name of Object.keys(tracingSettings) as (keyof typeof tracingSettings)[]) {
    if (process.env[`${name}_FILE`] && settings[name] !== undefined) process.env[name] = String(settings[name]);
  }
  const { openTelemetry } = await import('./open-telemetry');
  return openTelemetry({
    name: `sheaf-${name}`,
    version: ownVersions(name).version,
    protocol: settings.OTEL_EXPORTER_OTLP_PROTOCOL,
    complain: nowAndThen((reason) => log.warn({ reason }, 'traces could not be sent')),
    farewellMs,
  });
}

function nowAndThen(tell: (reason: string) => void): (reason: string) => void {
  let quietUntil = 0;
  return (reason) => {
    const now = performance.now();
    if (now < quietUntil) return;
    quietUntil = now + complainEveryMs;
    tell(reason);
  };
}
