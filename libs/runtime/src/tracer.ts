import type { Attributes } from '@opentelemetry/api';

/** Creates spans. A process has a tracer only if its spans are collected. */
export interface Tracer {
  /**
   * @param parent the `traceparent` of the parent span; without one the span begins a trace.
   * @param links the `traceparent` of each other span that caused this one.
   */
  start(kind: SpanKind, name: string, parent: string | undefined, attributes: Attributes, links?: readonly string[]): Span;
}

export type SpanKind = 'server' | 'client' | 'producer' | 'consumer';

export interface Span {
  /** The `traceparent` for calls and events within this span. */
  readonly trace: string;
  /** @param attributes known only at the end; `error.type` marks the span as failed. */
  end(attributes?: Attributes): void;
}
