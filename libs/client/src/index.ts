export { all, pages, type ListOperation } from './all';
export { AttemptTail, isAnsweredWith, type ReadAttempts } from './attempt-tail';
export { createClient, newIdempotencyKey, type ClientOptions } from './client';
export { SheafConnectionError, SheafError, SheafTimeoutError, type ErrorCode, type ErrorDetail } from './errors';
export type { StreamedFile } from './form-data';
export * from './generated/sdk.gen';
export type * from './generated/types.gen';
export type { Client, FileResponse, Options } from './operation';
export { receiveEvents, type Change, type EventOptions, type SheafEvent } from './receive-events';
