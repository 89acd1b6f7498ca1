import type { handleBidiStreamingCall, ServerDuplexStream } from '@grpc/grpc-js';
import { readTrace, type Problem } from '@sheaf/kernel';
import type { ArrivedCall } from '../call';
import type { Answer } from '../generated/sheaf/rpc/v1/Answer';
import type { Answers } from '../generated/sheaf/rpc/v1/Answers';
import type { Requests__Output } from '../generated/sheaf/rpc/v1/Requests';
import { toBytes } from './problem-status';

/** Handles a call; never throws. */
export type AnswerCall = (method: string, call: ArrivedCall, message: Buffer) => Promise<{ message: Buffer } | { problem: Problem }>;

/** The approximate limit of one message, so that other streams of the connection get their turn. */
const bytesPerMessage = 256 * 1024;
/** While the client has more than this left to read, no more calls are read from it. */
const maxUnreadBytes = 16 * 1024 * 1024;

/** The incoming streams of calls. */
export class MultiplexedDoor {
  private readonly streams = new Set<AnswerStream>();
  private hasLeft = false;
  private isReady = true;

  /** @param maxAgeMs the age at which a stream stops taking calls, so that a new copy of this service gets its share. */
  constructor(
    private readonly answer: AnswerCall,
    private readonly maxAgeMs: number,
  ) {}

  readonly open: handleBidiStreamingCall<Requests__Output, Answers> = (rpc) => {
    const stream = new AnswerStream(
      rpc,
      this.answer,
      () => this.isReady,
      () => {
        clearTimeout(aged);
        this.streams.delete(stream);
        stream.cancelAll();
      },
    );
    this.streams.add(stream);
    // Vary the age, so that streams that were opened together do not all leave together.
    const aged = setTimeout(() => stream.leave(), this.maxAgeMs * (0.9 + Math.random() / 10));
    // The client opened the stream before it learned that this copy is leaving: its calls are answered, but it takes no others.
    if (this.hasLeft) stream.leave();
    stream.report();
  };

  /** Tells clients whether they should prefer another copy. */
  setReady(isReady: boolean): void {
    if (this.isReady === isReady) return;
    this.isReady = isReady;
    for (const stream of this.streams) stream.report();
  }

  /** Takes no new calls, answers the open ones, and tells clients to go elsewhere. */
  leave(): void {
    this.hasLeft = true;
    for (const stream of this.streams) stream.leave();
  }
}

class AnswerStream {
  private unsent: Answer[] = [];
  private unsentBytes = 0;
  private working = 0;
  /** Of the open calls that the client may cancel. */
  private readonly cancellations = new Map<number, AbortController>();
  private scheduled = false;
  private hasEnded = false;
  private leaving: 'no' | 'to announce' | 'announced' = 'no';
  private hasNews = false;

  constructor(
    private readonly rpc: ServerDuplexStream<Requests__Output, Answers>,
    private readonly answer: AnswerCall,
    private readonly isReady: () => boolean,
    onGone: () => void,
  ) {
    rpc.on('data', ({ requests, cancelled }: Requests__Output) => {
      for (const request of requests) void this.work(request);
      for (const id of cancelled) this.cancellations.get(id)?.abort();
    });
    rpc.on('end', () => {
      this.hasEnded = true;
      this.endWhenDone();
    });
    rpc.on('error', () => undefined);
    rpc.on('close', onGone);
    rpc.on('cancelled', onGone);
    rpc.on('drain', () => {
      rpc.resume();
      this.send();
    });
  }

  /** Reports the state of this copy, even if there is nothing to answer. */
  report(): void {
    this.hasNews = true;
    this.schedule();
  }

  leave(): void {
    if (this.leaving !== 'no') return;
    this.leaving = 'to announce';
    this.schedule();
  }

  /** No client is left to wait for the calls that it may cancel. */
  cancelAll(): void {
    for (const cancellation of this.cancellations.values()) cancellation.abort();
  }

  private cancellation(id: number): AbortSignal {
    const cancellation = new AbortController();
    this.cancellations.set(id, cancellation);
    return cancellation.signal;
  }

  private async work({
    id,
    method,
    message,
    token,
    request_id: requestId,
    traceparent,
    address,
    access,
    timeout_ms,
    cancellable,
  }: Requests__Output['requests'][number]): Promise<void> {
    this.working += 1;
    const call = { token, requestId, trace: readTrace(traceparent), address, access, deadline: Date.now() + timeout_ms };
    const signal = cancellable ? this.cancellation(id) : undefined;
    const done = await this.answer(method, signal ? { ...call, signal } : call, message);
    this.working -= 1;
    this.cancellations.delete(id);
    // To the client, the failure of a call that it has cancelled would be a failure of this copy.
    if (signal?.aborted !== true) this.queue('message' in done ? { id, message: done.message } : { id, problem: toBytes(done.problem) });
    this.schedule();
  }

  private queue(answer: Answer): void {
    this.unsent.push(answer);
    this.unsentBytes += sizeOf(answer);
  }

  /** Answers from the same turn of the event loop go out in one message. */
  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.send();
    });
  }

  private send(): void {
    if (this.rpc.cancelled || this.rpc.destroyed) return;
    while (!this.rpc.writableNeedDrain && (this.unsent.length > 0 || this.hasNews || this.leaving === 'to announce')) {
      const leaving = this.leaving === 'to announce';
      if (leaving) this.leaving = 'announced';
      this.hasNews = false;
      this.rpc.write({ answers: this.nextAnswers(), leaving, unready: !this.isReady() });
    }
    if (this.unsentBytes > maxUnreadBytes) this.rpc.pause();
    this.endWhenDone();
  }

  private nextAnswers(): Answer[] {
    let bytes = 0;
    let count = 0;
    while (count < this.unsent.length && bytes < bytesPerMessage) bytes += sizeOf(this.unsent[count++]);
    this.unsentBytes -= bytes;
    return this.unsent.splice(0, count);
  }

  private endWhenDone(): void {
    if (this.hasEnded && this.working === 0 && this.unsent.length === 0) this.rpc.end();
  }
}

const sizeOf = (answer: Answer | undefined): number => (answer?.message ?? answer?.problem)?.length ?? 0;
