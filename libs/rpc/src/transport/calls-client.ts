import type { Client as GrpcClient } from '@grpc/grpc-js';
import { Problem } from '@sheaf/kernel';
import type { ServiceName } from '../audiences';
import type { Call } from '../call';
import { BrokenStream, CallStream } from './call-stream';
import { FailuresByCopy } from './copy-failures';

/**
 * Streams of one connection. Each goes to one copy of the service; several spread the calls over the copies, and one that hangs is passed
 * over. Of two that go to the same copy one takes all calls, as their batches are then twice as large.
 */
const streamsPerConnection = 2;
// Which copy a stream goes to is the channel's choice, and the first ones all go to the copy that was connected first. Another stream may
// find another copy; where there is none, looking costs one short stream now and then.
const firstLookAfterMs = 100;
const lookAtMostEveryMs = 30_000;

/** All unary calls of a client to a service, over a few streams. */
export class MultiplexedCalls {
  private streams: CallStream[] = [];
  private readonly failures = new FailuresByCopy();
  private pauseMs = firstLookAfterMs;
  private lookAt = 0;
  private isClosed = false;

  constructor(
    private readonly grpc: GrpcClient,
    private readonly service: ServiceName,
  ) {}

  /**
   * Sends the bytes of a request and resolves with those of its answer.
   * @param repeatable such a call is made once more when its stream breaks, as when the copy that had it dies, or when that copy could not
   *   answer and there is another one. Of any other nobody knows whether it was done.
   * @throws Problem what the service says, or `unavailable` when it is away or the deadline passes.
   */
  async call(method: string, call: Call, message: Buffer, repeatable: boolean): Promise<Buffer> {
    const stream = this.pick();
    try {
      return await stream.call(method, call, message);
    } catch (failure) {
      const other = repeatable ? this.insteadOf(stream, failure) : undefined;
      if (!other) throw asProblem(failure);
      return await other.call(method, call, message).catch((again: unknown) => {
        throw asProblem(again);
      });
    }
  }

  private insteadOf(stream: CallStream, failure: unknown): CallStream | undefined {
    if (failure instanceof BrokenStream) return this.pick();
    if (!(failure instanceof Problem) || failure.code !== 'unavailable') return undefined;
    // Its own copy is out of the question, even if it is no longer avoided. A stream to an unknown copy may lead there as well.
    const known = this.streams.filter(({ copy }) => copy !== undefined && copy !== stream.copy);
    const others = known.length > 0 ? known : this.streams.filter(({ copy }) => copy === undefined);
    return others.length === 0 ? undefined : bestOf(others, Date.now());
  }

  close(): void {
    this.isClosed = true;
    this.grpc.close();
  }

  /** The stream for the next call. */
  private pick(): CallStream {
    const now = Date.now();
    this.look(now);
    return bestOf(this.streams, now);
  }

  /** Opens a stream where there are too few, or where another copy might do better than those that are known. */
  private look(now: number): void {
    if (!this.streams.every((stream) => stream.takesCalls)) {
      this.streams = this.streams.filter((stream) => stream.takesCalls);
      // A copy went or made room for others: there may be new ones.
      this.pauseMs = firstLookAfterMs;
      this.lookAt = Math.min(this.lookAt, now + firstLookAfterMs);
    }
    if (this.streams.length > streamsPerConnection && this.streams.every((stream) => stream.isKnown(now))) this.letExtraGo(now);
    if (this.streams.length > 0) {
      if (this.isSpread(now)) {
        this.pauseMs = firstLookAfterMs;
        return;
      }
      if (this.streams.length > streamsPerConnection || now < this.lookAt) return;
    }
    this.streams.push(new CallStream(this.grpc, this.service, this.failures, (becameUnready) => this.onNews(becameUnready)));
    this.lookAt = now + this.pauseMs;
    this.pauseMs = Math.min(2 * this.pauseMs, lookAtMostEveryMs);
  }

  /** A copy that is not ready is no reason to wait for the next look. */
  private onNews(becameUnready: boolean): void {
    if (this.isClosed) return;
    const now = Date.now();
    if (becameUnready && this.streams.length <= streamsPerConnection) {
      this.pauseMs = firstLookAfterMs;
      this.lookAt = now;
    }
    this.look(now);
  }

  private isSpread(now: number): boolean {
    return (
      this.streams.length === streamsPerConnection &&
      this.streams.every((stream) => stream.isWell(now)) &&
      new Set(this.streams.map(({ copy }) => copy)).size === streamsPerConnection
    );
  }

  /** Keeps the best streams, to different copies if there are any. */
  private letExtraGo(now: number): void {
    const best = [...this.streams].sort((one, other) => one.rank(now) - other.rank(now));
    const ofEachCopy = best.filter(({ copy }, index) => best.findIndex((other) => other.copy === copy) === index);
    const [...kept] = new Set([...ofEachCopy, ...best]);
    for (const extra of kept.splice(streamsPerConnection)) extra.leave();
    this.streams = kept;
  }
}

const asProblem = (failure: unknown): unknown => (failure instanceof BrokenStream ? failure.problem : failure);

/** The best of at least one stream, which gets a call. */
function bestOf(streams: readonly CallStream[], now: number): CallStream {
  const best = streams.reduce((least, stream) => (isBetter(stream, least, now) ? stream : least));
  best.isChosen(now);
  return best;
}

function isBetter(one: CallStream, other: CallStream, now: number): boolean {
  const byRank = one.rank(now) - other.rank(now);
  if (byRank !== 0) return byRank < 0;
  return one.open < other.open && (one.copy === undefined || one.copy !== other.copy);
}
