import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { MetricsPage } from './metrics-page';
import type { Versions } from './version';

/** Rejects, or takes longer than the time limit, while the checked part is not usable. */
export type Check = () => Promise<unknown>;

const checkTimeoutMs = 2_000;

/** The health of a process: alive as long as it answers at all, ready while all its checks pass. */
export class Health {
  private readonly checks = new Map<string, Check>();
  private readonly warners: (() => string | undefined)[] = [];
  private stopping = false;

  /** Adds a check for something that the process cannot work without. */
  require(what: string, check: Check): void {
    this.checks.set(what, check);
  }

  /** Adds something that an operator has to know of although the process works. Undefined while there is nothing to say. */
  warn(about: () => string | undefined): void {
    this.warners.push(about);
  }

  get warnings(): string[] {
    return this.warners.flatMap((about) => about() ?? []);
  }

  /** Makes the process not ready, so that it gets no new work. */
  drain(): void {
    this.stopping = true;
  }

  /** The names of the failed checks; empty when ready. */
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

/** Serves /livez, /readyz, /version and /metrics on a separate port, so that no client-facing port exposes them. */
export async function serveHealth(options: {
  health: Health;
  metrics: Registry;
  versions: Versions;
  host: string;
  port: number;
}): Promise<{ server: Server; port: number }> {
  const { health, versions } = options;
  const metrics = new MetricsPage(options.metrics);

  const server = createServer((request, response) => {
    const answer = (status: number, body: string, type = 'text/plain; charset=utf-8') => {
      response.writeHead(status, { 'content-type': type }).end(body);
    };
    const respond = async () => {
      switch (request.url?.split('?')[0] ?? '') {
        case '/livez':
          return answer(200, 'ok\n');
        case '/readyz': {
          const unready = await health.unready();
          // Probes look at the status alone; `npm run sheaf -- health` reads the lines.
          const warnings = health.warnings.map((warning) => `warning: ${warning}\n`).join('');
          return unready.length === 0 ? answer(200, `ok\n${warnings}`) : answer(503, `not ready: ${unready.join(', ')}\n${warnings}`);
        }
        case '/version':
          return answer(200, `${JSON.stringify(versions)}\n`, 'application/json');
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
