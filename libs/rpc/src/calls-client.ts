import type { ClientDuplexStream, Client as GrpcClient, ServiceError } from '@grpc/grpc-js';
import { Problem } from '@sheaf/kernel';
import type { Call } from './call';
import type { Answers__Output } from './generated/sheaf/rpc/v1/Answers';
import type { Request } from './generated/sheaf/rpc/v1/Request';
import type { Requests } from './generated/sheaf/rpc/v1/Requests';
import { fromBytes, fromStatus } from './problem-status';
import { Calls } from './protocol';

/**
 * Streams of one connection. Each goes to one copy of the service; several spread the calls over the copies, and one that hangs is passed
 * over. Of two that go to the same copy one takes all calls, as their batches are then twice as large.
 */
const streamsPerConnection = 2;

/** All unary calls of a client to a service, over a few streams. */
export class MultiplexedCalls {
  private streams: CallStream[] = [];

  constructor(private readonly grpc: GrpcClient) {}

  /**
   * Sends the bytes of a request and resolves with those of its answer.
   * @param repeatable such a call is made once more when its stream breaks, as when the copy that had it dies: another copy may answer.
   *   Of any other nobody knows whether it was done.
   * @throws Problem what the service says, or `unavailable` when it is away or the deadline passes.
   */
  async call(method: string, call: Call, message: Buffer, repeatable: boolean): Promise<Buffer> {
    const ask = () => this.leastBusy().call(method, call, message);
    try {
      return await (repeatable ? ask().catch((failure: unknown) => (failure instanceof BrokenStream ? ask() : Promise.reject(failure as Error))) : ask());
    } catch (failure) {
      throw failure instanceof BrokenStream ? failure.problem : failure;
    }
  }

  private leastBusy(): CallStream {
    this.streams = this.streams.filter((stream) => stream.takesCalls);
    while (this.streams.length < streamsPerConnection) this.streams.push(new CallStream(this.grpc));
    const isElsewhere = (one: CallStream, other: CallStream) => one.copy === undefined || one.copy !== other.copy;
    return this.streams.reduce((least, stream) => (stream.open < least.open && isElsewhere(stream, least) ? stream : least));
  }
}

/** What becomes of the calls of a stream that ends under them. */
class BrokenStream extends Error {
  constructor(readonly problem: Problem) {
    super('the stream broke');
  }
}

interface Waiting {
  resolve: (message: Buffer) => void;
  reject: (failure: Problem | BrokenStream) => void;
  late: NodeJS.Timeout;
}

/** One stream, from the first call that it takes until its end. */
class CallStream {
  takesCalls = true;
  /** The address of the copy that it goes to, from its first answer on. */
  copy: string | undefined;
  private readonly rpc: ClientDuplexStream<Requests, Answers__Output>;
  private readonly waiting = new Map<number, Waiting>();
  private unsent: Request[] = [];
  private lastId = 0;

  constructor(grpc: GrpcClient) {
    const open = Calls.methods.Open;
    if (!open) throw new Error('calls.proto has no Open.');
    this.rpc = grpc.makeBidiStreamRequest<Requests, Answers__Output>(open.path, open.requestSerialize, open.responseDeserialize as (bytes: Buffer) => Answers__Output);
    this.rpc.on('data', (answers: Answers__Output) => this.take(answers));
    this.rpc.on('error', (error: ServiceError) => this.breakOff(fromStatus(error)));
    this.rpc.on('end', () => this.breakOff(Problem.unavailable('the service ended the stream')));
  }

  /** How many calls wait for their answers. */
  get open(): number {
    return this.waiting.size;
  }

  call(method: string, { token, requestId, trace, address, deadline }: Call, message: Buffer): Promise<Buffer> {
    const timeout_ms = deadline - Date.now();
    if (timeout_ms <= 0) return Promise.reject(Problem.unavailable('the deadline had passed before the call'));

    this.lastId = (this.lastId + 1) % 0x1_0000_0000;
    const id = this.lastId;
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => this.settle(id)?.reject(Problem.unavailable(`no answer from ${method} within ${timeout_ms} ms`)), timeout_ms);
      this.waiting.set(id, { resolve, reject, late });
      // What else is called in this turn goes out in the same message.
      if (this.unsent.push({ id, method, message, token, request_id: requestId, traceparent: trace, address, timeout_ms }) === 1) setImmediate(() => this.send());
    });
  }

  private send(): void {
    const requests = this.unsent;
    this.unsent = [];
    // Nothing waits for room: everybody who calls has a deadline, which bounds what can lie here.
    if (!this.rpc.destroyed) this.rpc.write({ requests });
    this.endWhenLeft();
  }

  private take({ answers, leaving }: Answers__Output): void {
    this.copy ??= this.rpc.getPeer();
    for (const { id, message, problem } of answers) {
      // One whose deadline has passed is nobody's any more.
      const waiting = this.settle(id);
      if (problem) waiting?.reject(fromBytes(problem));
      else waiting?.resolve(message ?? Buffer.alloc(0));
    }
    if (leaving) this.takesCalls = false;
    this.endWhenLeft();
  }

  private settle(id: number): Waiting | undefined {
    const waiting = this.waiting.get(id);
    if (!waiting) return undefined;
    clearTimeout(waiting.late);
    this.waiting.delete(id);
    return waiting;
  }

  private endWhenLeft(): void {
    if (!this.takesCalls && this.waiting.size === 0 && this.unsent.length === 0) this.rpc.end();
  }

  private breakOff(problem: Problem): void {
    this.takesCalls = false;
    for (const id of this.waiting.keys()) this.settle(id)?.reject(new BrokenStream(problem));
  }
}
