import type { ServerReadableStream, ServerUnaryCall, ServerWritableStream } from '@grpc/grpc-js';
import { Problem, readTrace } from '@sheaf/kernel';
import { metadataKeys, type ArrivedCall } from '../call';
import { endMark } from './end-mark';

/** The time limit for calls without a deadline. */
const defaultDeadlineMs = 10_000;

type Readable = ServerReadableStream<unknown, unknown>;
type Writable = ServerWritableStream<unknown, unknown>;

export function readCall(rpc: ServerUnaryCall<unknown, unknown> | Readable | Writable): ArrivedCall {
  const first = (key: string) => rpc.metadata.get(key)[0]?.toString();
  const deadline = Number(rpc.getDeadline());
  return {
    token: first(metadataKeys.token)?.replace(/^Bearer /, '') ?? '',
    requestId: first(metadataKeys.requestId) ?? 'none',
    trace: readTrace(first(metadataKeys.trace)),
    address: first(metadataKeys.address),
    access: first(metadataKeys.access),
    deadline: Number.isFinite(deadline) ? deadline : Date.now() + defaultDeadlineMs,
  };
}

export const readStreamingCall = (rpc: Readable | Writable): ArrivedCall & { signal: AbortSignal } => ({
  ...readCall(rpc),
  signal: cancellationOf(rpc),
});

function cancellationOf(rpc: Readable | Writable): AbortSignal {
  const cancellation = new AbortController();
  rpc.once('cancelled', () => cancellation.abort());
  return cancellation.signal;
}

/** The messages of a streamed request. @throws Problem if the request is cut off. */
export async function* messagesOf(rpc: Readable): AsyncGenerator {
  for await (const message of rpc) {
    if (message === endMark) return;
    yield message;
  }
  throw Problem.badRequest('The request broke off.');
}
