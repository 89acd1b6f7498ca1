import type { Client as GrpcClient } from '@grpc/grpc-js';
import { Problem, type ServiceName } from '@sheaf/kernel';
import type { Call } from '../call';
import { BrokenStream, CallStream } from './call-stream';
import { FailuresByCopy } from './copy-failures';

/**
 * The streams of one connection. Each goes to one copy of the service: several spread the calls over the copies, and a copy that hangs is
 * avoided. If two go to the same copy, one of them takes all calls, because its batches are then twice as large.
 */
const streamsPerConnection = 2;
// The channel chooses the copy for a stream, and the first streams all go to the copy that connected first. Another stream may find another
// copy; if there is none, looking costs one short stream now and then.
const firstLookAfterMs = 100;
const maxLookPauseMs = 30_000;
/** More in a row than connections that are closing can cause: a service that refuses every stream is down. */
const maxRefusals = 10;

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
   * Sends the bytes of a request and resolves with those of the answer.
   * @param repeatable such a call is repeated once if its stream breaks, for example because the copy dies, or if that copy could not
   *   answer and there is another one. Any other call may already have been executed, unless its stream was refused: such a call is sent again,
   *   of whatever kind it is.
   * @throws Problem as the service reports it, or `unavailable` if the service is down or the deadline passes.
   */
  async call(method: string, call: Call, message: Buffer, repeatable: boolean): Promise<Buffer> {
    let stream = this.pick();
    let refusals = 0;
    let isRepeated = false;
    for (;;) {
      try {
        return await stream.call(method, call, message);
      } catch (failure) {
        const wasRefused = failure instanceof BrokenStream && failure.wasRefused && refusals < maxRefusals;
        const other = wasRefused ? this.pick() : repeatable && !isRepeated ? this.alternativeTo(stream, failure) : undefined;
        if (!other) throw asProblem(failure);
        if (wasRefused) refusals += 1;
        else isRepeated = true;
        stream = other;
      }
    }
  }

  private alternativeTo(stream: CallStream, failure: unknown): CallStream | undefined {
    if (failure instanceof BrokenStream) return this.pick();
    if (!(failure instanceof Problem) || failure.code !== 'unavailable') return undefined;
    // Excludes the copy that failed, even if it is no longer avoided. A stream to an unknown copy may lead to the same one.
    const known = this.streams.filter(({ copy }) => copy !== undefined && copy !== stream.copy);
    const others = known.length > 0 ? known : this.streams.filter(({ copy }) => copy === undefined);
    return others.length === 0 ? undefined : bestOf(others, Date.now());
  }

  close(): void {
    this.isClosed = true;
    this.grpc.close();
  }

  /** Chooses the stream for the next call. */
  private pick(): CallStream {
    const now = Date.now();
    this.look(now);
    return bestOf(this.streams, now);
  }

  /** Opens a stream if there are too few, or if another copy might do better than the known ones. */
  private look(now: number): void {
    if (!this.streams.every((stream) => stream.takesCalls)) {
      this.streams = this.streams.filter((stream) => stream.takesCalls);
      // A copy left or made room for others, so there may be new ones.
      this.pauseMs = firstLookAfterMs;
      this.lookAt = Math.min(this.lookAt, now + firstLookAfterMs);
    }
    if (this.streams.length > streamsPerConnection && this.streams.every((stream) => stream.isKnown(now))) this.closeExtraStreams(now);
    if (this.streams.length > 0) {
      if (this.isSpread(now)) {
        this.pauseMs = firstLookAfterMs;
        return;
      }
      if (this.streams.length > streamsPerConnection || now < this.lookAt) return;
    }
    this.streams.push(new CallStream(this.grpc, this.service, this.failures, (becameUnready) => this.onCopyChange(becameUnready)));
    this.lookAt = now + this.pauseMs;
    this.pauseMs = Math.min(2 * this.pauseMs, maxLookPauseMs);
  }

  /** Does not wait for the next scheduled look when a copy is no longer ready. */
  private onCopyChange(becameUnready: boolean): void {
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
      this.streams.every((stream) => stream.isHealthy(now)) &&
      new Set(this.streams.map(({ copy }) => copy)).size === streamsPerConnection
    );
  }

  /** Keeps the best streams, to different copies if possible. */
  private closeExtraStreams(now: number): void {
    const best = [...this.streams].sort((one, other) => one.rank(now) - other.rank(now));
    const ofEachCopy = best.filter(({ copy }, index) => best.findIndex((other) => other.copy === copy) === index);
    const [...kept] = new Set([...ofEachCopy, ...best]);
    for (const extra of kept.splice(streamsPerConnection)) extra.leave();
    this.streams = kept;
  }
}

const asProblem = (failure: unknown): unknown => (failure instanceof BrokenStream ? failure.problem : failure);

/** Chooses the best of at least one stream for a call. */
function bestOf(streams: readonly CallStream[], now: number): CallStream {
  const best = streams.reduce((least, stream) => (isBetter(stream, least, now) ? stream : least));
  best.choose(now);
  return best;
}

function isBetter(one: CallStream, other: CallStream, now: number): boolean {
  const byRank = one.rank(now) - other.rank(now);
  if (byRank !== 0) return byRank < 0;
  return one.open < other.open && (one.copy === undefined || one.copy !== other.copy);
}
