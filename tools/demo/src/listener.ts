import { createServer, type Server } from 'node:http';
import { z } from 'zod';

const Event = z.object({ event: z.string(), submission_id: z.string().optional(), submission: z.object({ id: z.string() }).optional() });

/** A subscriber that accepts webhooks, answers 204, and records what arrived and when. */
export class Listener {
  /** Event and submission → time of first arrival, by the clock of performance.now(). */
  readonly firstAt = new Map<string, number>();
  repeats = 0;
  private server: Server | undefined;
  private onEvent: () => void = () => undefined;

  static keyOf = (event: string, submissionId: string): string => `${event} ${submissionId}`;

  async start(port: number): Promise<string> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const at = performance.now();
        response.writeHead(204).end();
        this.record(Event.parse(JSON.parse(Buffer.concat(chunks).toString())), at);
      });
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    this.server = server;
    return `http://127.0.0.1:${port}/webhooks`;
  }

  private record({ event, submission_id, submission }: z.output<typeof Event>, at: number): void {
    const key = Listener.keyOf(event, submission_id ?? submission?.id ?? '');
    if (this.firstAt.has(key)) this.repeats += 1;
    else this.firstAt.set(key, at);
    this.onEvent();
  }

  count = (event: string): number => [...this.firstAt.keys()].filter((key) => key.startsWith(`${event} `)).length;

  /** Resolves to true once this many different events have arrived, or to false if they do not arrive in time. */
  waitFor(total: number, withinMs: number, onProgress: (count: number) => void): Promise<boolean> {
    return new Promise((resolve) => {
      const finish = (done: boolean) => {
        clearTimeout(timer);
        this.onEvent = () => undefined;
        resolve(done);
      };
      const timer = setTimeout(() => finish(false), withinMs);
      this.onEvent = () => {
        onProgress(this.firstAt.size);
        if (this.firstAt.size >= total) finish(true);
      };
      this.onEvent();
    });
  }

  stop(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }
}
