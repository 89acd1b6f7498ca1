import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { consolePolicy } from '@sheaf/contracts';
import { Router } from 'express';
import { immutable, sendingFile } from './file';

/** Compared at each load, so that an update reaches people at once; the files that it names never change. */
const pageHeaders = {
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': consolePolicy,
  // The address of an invitation has a secret. The console sends by script only, so browsers still say its origin.
  'Referrer-Policy': 'no-referrer',
};

/** @param folder has what Vite built: `index.html` and `assets/` */
export function consoleRouter(folder: string): Router {
  const router = Router({ caseSensitive: true });
  for (const name of readdirSync(join(folder, 'assets')))
    router.get(`/console/assets/${name}`, sendingFile(name, readFileSync(join(folder, 'assets', name)), immutable));
  const page = sendingFile('index.html', readFileSync(join(folder, 'index.html')), pageHeaders);
  // The page itself knows its addresses. A file that is missing, after an update, is none of them.
  router.get('/console/assets/{*name}', (_request, _response, next) => next('router'));
  for (const path of ['/console', '/console/{*page}', '/invitations/:token']) router.get(path, page);
  return router;
}
