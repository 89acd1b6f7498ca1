import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { MetricsPage } from './metrics-page';

/** Rejects, or takes longer than the bound, while what it looks at cannot be used. */
export type Check = () => Promise<unknown>;

const checkTimeoutMs = 2_000;

/** What a process can do at the moment: alive as long as it answers at all, ready when each of its checks passes. */
export class Health {
  private readonly checks = new Map<string, Check>();
  private stopping = false;

  /** Adds something that the process cannot work without. */
  require(what: string, check: Check): void {
    this.checks.set(what, check);
  }

  /** From now on not ready, so that no new work is sent here. */
  drain(): void {
    this.stopping = true;
  }

  /** The names of what is not usable; empty when ready. */
  async unready(): Promise<string[]> {
    if (this.stopping) return ['stopping'];
    const results = await Promise.all([...this.checks].map(async ([what, check]) => ((await passes(check)) ? [] : [what])));
    return results.flat();
  }
}

async function passes(check: Check): Promise<boolean> {
  const timer = AbortSignal.timeout(checkTimeoutMs);
  const late = new Promise<false>((resolve) => timer.addEventListener('abort', () => resolve(false), { once: true }));
  const done = check().then(
    () => true,
    () => false,
  );
  return Promise.race([done, late]);
}

/** Serves /livez, /readyz and /metrics: on a port of its own, so that no door for clients ever shows them. */
export async function serveHealth(options: { health: Health; metrics: Registry; host: string; port: number }): Promise<{ server: Server; port: number }> {
  const { health } = options;
  const metrics = new MetricsPage(options.metrics);

  const server = createServer((request, response) => {
    const answer = (status: number, body: string, type = 'text/plain; charset=utf-8') => {
      response.writeHead(status, { 'content-type': type }).end(body);
    };
    const respond = async () => {
      switch (request.url?.split('?')[0]) {
        case '/livez':
          return answer(200, 'ok\n');
        case '/readyz': {
          const unready = await health.unready();
          return unready.length === 0 ? answer(200, 'ok\n') : answer(503, `not ready: ${unready.join(', ')}\n`);
        }
        case '/metrics':
          return answer(200, await metrics.read(), metrics.contentType);
        default:
          return answer(404, 'not found\n');
      }
    };
    respond().catch(() => answer(500, 'failed\n'));
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return { server, port: (server.address() as AddressInfo).port };
}
