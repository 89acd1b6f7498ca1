// Runs Sheaf as `npm start` does, for the packages outside the root install, whose tests cannot import those of the services.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../build/bootstrap.mjs';

/** Beside other work, a first start with its databases can take a minute. */
const startWithinMs = 180_000;
const stopWithinMs = 30_000;

/**
 * Starts a system on free ports with its own data folder, waits for `use`, and stops it.
 * @template T
 * @param {(system: { url: string, apiKey: string }) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withSystem(use) {
  const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-integration-'));
  const { child, output } = launch(dataDir);
  try {
    await ready(child, output);
    const { base_url: baseUrl, api_key: apiKey } = JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8'));
    return await use({ url: new URL(baseUrl).origin, apiKey });
  } finally {
    await stop(child);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function launch(dataDir) {
  const child = spawn(process.execPath, [join(root, 'dist/tools/system/main.cjs')], {
    // Runs in a new session, as in a terminal, so that Ctrl-C reaches only this process, which stops it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: dataDir,
      // The tests receive webhooks on this machine.
      HOOKS_ALLOW_PRIVATE_TARGETS: 'true',
      SAMPLE_FORM: 'false',
      NO_COLOR: '1',
      // As under npm, it ends when its parent does, so that a killed run leaves no processes behind.
      npm_lifecycle_event: 'start',
    },
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk.toString()));
  return { child, output };
}

async function ready(child, output) {
  const until = Date.now() + startWithinMs;
  while (!output.join('').includes('Sheaf is ready.')) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`The system did not start:\n${output.join('')}`);
    await sleep(20);
  }
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit', { signal: AbortSignal.timeout(stopWithinMs) });
  child.kill('SIGINT');
  await exited.catch(() => child.kill('SIGKILL'));
}
