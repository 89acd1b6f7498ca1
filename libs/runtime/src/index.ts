export * from './answering';
export * from './config';
export * from './every-so-often';
export * from './health';
export * from './log';
export * from './patience';
export * from './process';
export { startTracing, type Span, type SpanKind, type Tracer } from './tracing';
export * from './version';
