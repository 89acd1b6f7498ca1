import { join } from 'node:path';
import { callerVerifier, httpServerFor, neighboursOf, watchTokenAge } from '@sheaf/rpc';
import { classesOf, jsonCommand, listenUntilStop, ownVersions, asApp, type Process } from '@sheaf/runtime';
import { z } from 'zod';
import { application } from './application';
import { readAssets } from './assets';
import { Config } from './config';
import { consoleRouter } from './console';
import { formPages } from './form/pages';

const versionCommand = jsonCommand({ config: z.object({}), options: z.object({}), run: () => Promise.resolve(ownVersions('pages')) });

export const app = asApp({
  name: 'pages',
  config: Config,
  serve: start,
  commands: { version: versionCommand },
});

async function start(process: Process, config: Config): Promise<void> {
  const { forms, submissions } = neighboursOf(process, 'pages', config);
  const assets = readAssets(join(__dirname, 'assets'));
  const form = formPages({ forms, submissions, settings: config, assets });
  const verify = callerVerifier(config.CALLER_KEYS, watchTokenAge(process))('pages');
  const app = application({
    process,
    settings: { verify, REQUEST_TIMEOUT_MS: config.REQUEST_TIMEOUT_MS },
    assets,
    form,
    console: consoleRouter(join(__dirname, 'console')),
  });

  const server = httpServerFor('gateway', process, { settings: config, options: classesOf(app), listener: app });
  // The gateway closes its idle connections first, so that it never sends a request on a connection that we are closing.
  server.keepAliveTimeout = 75_000;
  // New copies get their share of the gateway's connections.
  server.maxRequestsPerSocket = 1_000;
  // A file may take long, and the gateway cuts off a request that stalls.
  server.requestTimeout = 0;
  await listenUntilStop(process, server, { port: config.PORT, host: config.BIND_HOST, closeNoticeMs: 5_000 });
}
