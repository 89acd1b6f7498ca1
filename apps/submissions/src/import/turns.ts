import { Problem } from '@sheaf/kernel';
import { Breath } from './breath';

/** Files with their bytes in memory. */
const maxPlaces = 8;
/** Of one instance, so that there is room for others: one that is read, and two that wait. */
const maxPlacesOfOne = 3;
const retryAfterSeconds = 10;

interface Sender {
  instanceId: string;
  /** Aborts if the caller disconnects. */
  signal?: AbortSignal | undefined;
}

/** Waits until no other file is read, and then reads this one. */
export type Turn = <T>(read: (breath: Breath) => Promise<T>) => Promise<T>;

/** Reads and stores one file after another, so that a process has the tables of one. */
export class Turns {
  private readonly places: string[] = [];
  private last: Promise<unknown> = Promise.resolve();

  /**
   * Keeps a place for a file before it arrives, as its bytes wait in memory. Its turn comes only after that, so a slow one keeps nobody waiting.
   * @throws Problem `too_many_requests` if there are too many already
   */
  async keepPlace<T>({ instanceId, signal }: Sender, work: (turn: Turn) => Promise<T>): Promise<T> {
    if (this.places.length >= maxPlaces || this.places.filter((one) => one === instanceId).length >= maxPlacesOfOne)
      throw Problem.tooManyRequests('Other files are being imported. Try again in a moment.', retryAfterSeconds);
    this.places.push(instanceId);
    try {
      return await work((read) => this.next(read, signal));
    } finally {
      this.places.splice(this.places.indexOf(instanceId), 1);
    }
  }

  private next<T>(read: (breath: Breath) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const turn = this.last.then(() => {
      signal?.throwIfAborted();
      return read(new Breath(signal));
    });
    this.last = turn.catch(() => undefined);
    return turn;
  }
}
