// OpenTelemetry's packages, in a module that is loaded only where spans are collected. No instrumentation that patches modules: in a
// bundle there are none to patch, and each of our doors makes its spans itself.
import { setTimeout as sleep } from 'node:timers/promises';
import { diag, DiagLogLevel, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags, type Context, type SpanContext } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Tracer } from './tracer';

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, producer: SpanKind.PRODUCER, consumer: SpanKind.CONSUMER };

export function openTelemetry(given: {
  name: string;
  version: string;
  protocol: 'http/protobuf' | 'http/json';
  /** Hears of everything that goes wrong with the sending. */
  complain: (reason: string) => void;
  farewellMs: number;
}): { tracer: Tracer; stop: () => Promise<void> } {
  const ignored = () => undefined;
  diag.setLogger({ error: given.complain, warn: given.complain, info: ignored, debug: ignored, verbose: ignored }, { logLevel: DiagLogLevel.WARN });

  const own = resourceFromAttributes({ 'service.name': given.name, 'service.version': given.version });
  const provider = new BasicTracerProvider({
    resource: defaultResource().merge(own).merge(detectResources({ detectors: [envDetector] })),
    // Its queue is bounded: spans that nobody takes are dropped.
    spanProcessors: [new BatchSpanProcessor(given.protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter())],
  });
  const spans = provider.getTracer('sheaf', given.version);

  return {
    tracer: {
      start(kind, name, parent, attributes) {
        const span = spans.startSpan(name, { kind: kinds[kind], attributes }, parent === undefined ? ROOT_CONTEXT : below(parent));
        return {
          trace: traceparentOf(span.spanContext()),
          end(last = {}) {
            span.setAttributes(last);
            if (last['error.type'] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
            span.end();
          },
        };
      },
    },
    async stop() {
      const shut = provider.shutdown().catch((error: unknown) => given.complain(String(error)));
      await Promise.race([shut, sleep(given.farewellMs)]);
    },
  };
}

/** @param parent a valid `traceparent`. */
function below(parent: string): Context {
  const [, traceId = '', spanId = '', flags] = parent.split('-');
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: flags === '01' ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true });
}

const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext): string => `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`;
