import { status, type ClientDuplexStream, type Client as GrpcClient, type ServiceError } from '@grpc/grpc-js';
import { Problem, type ServiceName } from '@sheaf/kernel';
import { tokenOf, type Call } from '../call';
import type { Answers__Output } from '../generated/sheaf/rpc/v1/Answers';
import type { Request } from '../generated/sheaf/rpc/v1/Request';
import type { Requests } from '../generated/sheaf/rpc/v1/Requests';
import { CopyFailures, type FailuresByCopy } from './copy-failures';
import { fromBytes, fromStatus } from './problem-status';
import { Calls } from './protocol';

/** A copy introduces itself at once. A copy of the previous version does not, and counts as known after this time. */
const introductionMs = 1_000;

/** The failure of calls that were open when their stream ended. */
export class BrokenStream extends Error {
  /** @param wasRefused the service has executed none of the calls. */
  constructor(
    readonly problem: Problem,
    readonly wasRefused: boolean,
  ) {
    super('the stream broke');
  }
}

interface Waiting {
  resolve: (message: Buffer) => void;
  reject: (failure: Problem | BrokenStream) => void;
  /** Stops waiting for the deadline, and for the caller to disconnect. */
  release: () => void;
}

/** One stream, from its first call until its end. */
export class CallStream {
  takesCalls = true;
  /** The address of its copy, known from the first message on. */
  copy: string | undefined;
  private isUnready = false;
  /** The failures of its copy, once the copy is known. */
  private failures = new CopyFailures();
  private readonly openedAt = Date.now();
  private readonly rpc: ClientDuplexStream<Requests, Answers__Output>;
  private readonly waiting = new Map<number, Waiting>();
  private unsent: Request[] = [];
  private cancelled: number[] = [];
  private isScheduled = false;
  private lastId = 0;

  /** @param onChange called when the copy becomes known, leaves, or is no longer ready. */
  constructor(
    grpc: GrpcClient,
    private readonly service: ServiceName,
    private readonly failuresByCopy: FailuresByCopy,
    private readonly onChange: (becameUnready: boolean) => void,
  ) {
    const open = Calls.methods.Open;
    if (!open) throw new Error('calls.proto has no Open.');
    this.rpc = grpc.makeBidiStreamRequest<Requests, Answers__Output>(
      open.path,
      open.requestSerialize,
      open.responseDeserialize as (bytes: Buffer) => Answers__Output,
    );
    this.rpc.on('data', (answers: Answers__Output) => this.take(answers));
    this.rpc.on('error', (error: ServiceError) => this.breakOff(fromStatus(error), this.copy === undefined && isRefusal(error)));
    this.rpc.on('end', () => this.breakOff(Problem.unavailable('the service ended the stream'), false));
  }

  /** The number of calls that wait for answers. */
  get open(): number {
    return this.waiting.size;
  }

  /**
   * The lowest rank is the best: healthy, not known yet, failing, not ready. A copy that is not ready still takes calls if there is no better
   * one.
   */
  rank(now: number): number {
    if (this.isUnready) return 3;
    if (this.failures.isAvoided(now)) return 2;
    return this.isKnown(now) ? 0 : 1;
  }

  isKnown(now: number): boolean {
    return this.copy !== undefined || now - this.openedAt >= introductionMs;
  }

  isHealthy(now: number): boolean {
    return this.rank(now) === 0 && !this.failures.hasAny;
  }

  /** Notes that the next call goes to this stream. */
  choose(now: number): void {
    this.failures.choose(now);
  }

  call(method: string, call: Call, message: Buffer): Promise<Buffer> {
    const { requestId, trace, address, access, deadline, signal } = call;
    const timeout_ms = deadline - Date.now();
    if (timeout_ms <= 0) return Promise.reject(Problem.unavailable('the deadline had passed before the call'));
    if (signal?.aborted === true) return Promise.reject(gone());

    const token = tokenOf(call, this.service);
    this.lastId = (this.lastId + 1) % 0x1_0000_0000;
    const id = this.lastId;
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.settle(id)?.reject(Problem.unavailable(`no answer from ${method} within ${timeout_ms} ms`));
        this.failures.failed();
      }, timeout_ms);
      const cancel = signal && (() => this.cancel(id));
      const release = () => {
        clearTimeout(late);
        if (cancel) signal.removeEventListener('abort', cancel);
      };
      if (cancel) signal.addEventListener('abort', cancel);
      this.waiting.set(id, { resolve, reject, release });
      const request = { id, method, message, token, request_id: requestId, traceparent: trace, address, access, timeout_ms };
      this.unsent.push(cancel ? { ...request, cancellable: true } : request);
      this.schedule();
    });
  }

  private cancel(id: number): void {
    this.settle(id)?.reject(gone());
    this.cancelled.push(id);
    this.schedule();
  }

  /** Calls made in the same turn of the event loop go out in one message. */
  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => this.send());
  }

  /** Takes no new calls, and ends once its open calls are answered. */
  leave(): void {
    this.takesCalls = false;
    this.endWhenLeft();
  }

  private send(): void {
    const requests = this.unsent;
    const cancelled = this.cancelled;
    this.isScheduled = false;
    this.unsent = [];
    this.cancelled = [];
    // Does not wait for the write buffer to drain: every call has a deadline, which limits how much can pile up here.
    if (!this.rpc.destroyed) this.rpc.write(cancelled.length > 0 ? { requests, cancelled } : { requests });
    this.endWhenLeft();
  }

  private take({ answers, leaving, unready }: Answers__Output): void {
    const becameUnready = unready && !this.isUnready;
    const hasChanged = this.copy === undefined || leaving || becameUnready;
    if (this.copy === undefined) {
      this.copy = this.rpc.getPeer();
      this.failures = this.failuresByCopy.of(this.copy);
    }
    this.isUnready = unready;
    for (const { id, message, problem: problemBytes } of answers) {
      // Absent if the call's deadline has passed.
      const waiting = this.settle(id);
      const problem = problemBytes && fromBytes(problemBytes);
      if (problem?.code === 'unavailable') this.failures.failed();
      else this.failures.succeeded();
      if (problem) waiting?.reject(problem);
      else waiting?.resolve(message ?? Buffer.alloc(0));
    }
    if (leaving) this.takesCalls = false;
    this.endWhenLeft();
    if (hasChanged) this.onChange(becameUnready);
  }

  private settle(id: number): Waiting | undefined {
    const waiting = this.waiting.get(id);
    if (!waiting) return undefined;
    waiting.release();
    this.waiting.delete(id);
    return waiting;
  }

  private endWhenLeft(): void {
    if (!this.takesCalls && this.waiting.size === 0 && !this.isScheduled) this.rpc.end();
  }

  private breakOff(problem: Problem, wasRefused: boolean): void {
    this.takesCalls = false;
    for (const id of this.waiting.keys()) this.settle(id)?.reject(new BrokenStream(problem, wasRefused));
  }
}

/**
 * Whether the service refused to open the stream (REFUSED_STREAM, RFC 9113, 8.7), so that nothing on it was processed. A connection that the
 * service is closing refuses the streams that the client opens until it hears of that. grpc-js opens a refused stream once more, and only if it
 * still has all that was written to it; of a second refusal it tells no more than this text.
 */
const isRefusal = ({ code, details }: ServiceError): boolean => code === status.UNAVAILABLE && details === 'Stream refused by server';

const gone = () => Problem.unavailable('the caller disconnected');
