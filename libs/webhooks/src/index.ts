export { WebhookError, type WebhookErrorCode } from './errors';
export type {
  BulkStatusChange,
  NamedAnswer,
  NamedFile,
  SingleStatusChange,
  SubmissionCorrected,
  SubmissionCreated,
  SubmissionDeleted,
  SubmissionRestored,
  SubmissionSpamChanged,
  SubmissionStatusChanged,
  WebhookEvent,
} from './events';
export type { NodeRequest, NodeResponse } from './node';
export { WebhookReceiver, type Delivery, type Handler, type Outcome, type ReceiverOptions } from './receiver';
export { MemoryReplayStore, type ReplayStore } from './replay-store';
export type { FetchRequest, HeaderSource, RawRequest, WebhookRequest } from './request';
