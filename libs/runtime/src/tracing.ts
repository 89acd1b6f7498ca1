import { z } from 'zod';
import type { Log } from './log';
import type { Tracer } from './tracer';
import { ownVersions } from './version';

/**
 * OpenTelemetry's standard settings; its SDK reads these and others directly from the environment. Without an endpoint no spans are created,
 * and the SDK is not loaded.
 */
export const tracingSettings = {
  /** The address at which the collector takes OTLP over HTTP, without the path: `http://collector:4318`. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.enum(['http/protobuf', 'http/json']).default('http/protobuf'),
  /** Headers for the collector, such as `authorization=Bearer …`. */
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_TRACES_SAMPLER: z
    .enum(['always_on', 'always_off', 'traceidratio', 'parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'])
    .optional(),
  /** The share of traces to record, for ratio samplers. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number('must be a number from 0 to 1')
    .min(0, 'must be at least 0')
    .max(1, 'must be at most 1')
    .optional(),
  /** Further attributes of every span, such as `deployment.environment.name=production`. */
  OTEL_RESOURCE_ATTRIBUTES: z.string().optional(),
};

type AllTracingSettings = z.output<z.ZodObject<typeof tracingSettings>>;
type TracingSettings = Pick<AllTracingSettings, 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_EXPORTER_OTLP_PROTOCOL'> &
  Partial<AllTracingSettings>;

/** How long a stopping process waits for the collector to take the last spans. */
const flushTimeoutMs = 2_000;
/** Limits the log lines while the collector is unreachable, since every batch fails then. */
const errorLogIntervalMs = 60_000;

/** @returns undefined if no endpoint is set. `stop` sends the remaining spans within a time limit. */
export async function startTracing(
  name: string,
  settings: TracingSettings,
  log: Log,
): Promise<{ tracer: Tracer; stop: () => Promise<void> } | undefined> {
  if (settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return undefined;
  // The SDK reads the environment only, so settings from files must be copied there.
  for (const name of Object.keys(tracingSettings) as (keyof typeof tracingSettings)[]) {
    if (process.env[`${name}_FILE`] && settings[name] !== undefined) process.env[name] = String(settings[name]);
  }
  const { openTelemetry } = await import('./open-telemetry');
  return openTelemetry({
    name: `sheaf-${name}`,
    version: ownVersions(name).version,
    protocol: settings.OTEL_EXPORTER_OTLP_PROTOCOL,
    onError: throttled((reason) => log.warn({ reason }, 'traces could not be sent')),
    flushTimeoutMs,
  });
}

function throttled(report: (reason: string) => void): (reason: string) => void {
  let quietUntil = 0;
  return (reason) => {
    const now = performance.now();
    if (now < quietUntil) return;
    quietUntil = now + errorLogIntervalMs;
    report(reason);
  };
}
