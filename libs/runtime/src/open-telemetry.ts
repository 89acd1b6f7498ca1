// This module, with OpenTelemetry's packages, is loaded only if spans are collected. It uses no instrumentation that patches modules: a
// bundle has no modules to patch, and each of our entry points creates its own spans.
import { setTimeout as sleep } from 'node:timers/promises';
import { diag, DiagLogLevel, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags, type SpanContext } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Tracer } from './tracer';

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, producer: SpanKind.PRODUCER, consumer: SpanKind.CONSUMER };

export function openTelemetry(options: {
  name: string;
  version: string;
  protocol: 'http/protobuf' | 'http/json';
  /** Called for every failure to send spans. */
  onError: (reason: string) => void;
  flushTimeoutMs: number;
}): { tracer: Tracer; stop: () => Promise<void> } {
  const { name, version, onError, flushTimeoutMs } = options;
  const ignored = () => undefined;
  diag.setLogger({ error: onError, warn: onError, info: ignored, debug: ignored, verbose: ignored }, { logLevel: DiagLogLevel.WARN });

  const service = resourceFromAttributes({ 'service.name': name, 'service.version': version });
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(service)
      .merge(detectResources({ detectors: [envDetector] })),
    // Its queue is bounded: spans that cannot be sent are dropped.
    spanProcessors: [new BatchSpanProcessor(options.protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter())],
  });
  const spans = provider.getTracer('sheaf', version);

  return {
    tracer: {
      start(kind, name, parent, attributes, links = []) {
        const options = { kind: kinds[kind], attributes, links: links.map((link) => ({ context: spanContextOf(link) })) };
        const span = spans.startSpan(
          name,
          options,
          parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, spanContextOf(parent)),
        );
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
      const shut = provider.shutdown().catch((error: unknown) => onError(String(error)));
      await Promise.race([shut, sleep(flushTimeoutMs)]);
    },
  };
}

/** @param traceparent a valid one. */
function spanContextOf(traceparent: string): SpanContext {
  const [, traceId = '', spanId = '', flags] = traceparent.split('-');
  return { traceId, spanId, traceFlags: flags === '01' ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true };
}

const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`;
