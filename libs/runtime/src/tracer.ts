import type { Attributes } from '@opentelemetry/api';

/** Makes spans. A process has one only where somebody collects them. */
export interface Tracer {
  /** @param parent the `traceparent` that it belongs to; without one it begins a trace. */
  start(kind: SpanKind, name: string, parent: string | undefined, attributes: Attributes): Span;
}

export type SpanKind = 'server' | 'client' | 'producer' | 'consumer';

export interface Span {
  /** The `traceparent` of what it leads to. */
  readonly trace: string;
  /** @param attributes what is known only now; with `error.type` among them the span counts as failed. */
  end(attributes?: Attributes): void;
}
