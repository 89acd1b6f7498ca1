import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { inBrowser, keptForAllFiles, type BrowserUser, type BrowserUserOptions } from '@sheaf/testing';
import { signedIn } from '../answers/people';
import { RecordedServer, type Answers } from './recorded-server';

/** The folder into which tools/jest/built-console.cjs puts it. */
const built = join(__dirname, '../../../../dist/apps/pages/console');

/** One for all test files of a process, since a browser belongs to the address that it was opened for. */
const addresses = keptForAllFiles<Server>('address of screens');

function newAddress(): Server {
  // Else it would keep the process from ending.
  const server = createServer().unref();
  addresses.set('', server);
  return server;
}

/** The console in a browser, before a server of recorded answers. */
export interface Screen extends BrowserUser {
  server: RecordedServer;
}

/** A test of a screen; SKIP_BROWSER=1 leaves it out, as all that need a browser. */
export const onScreen = process.env.SKIP_BROWSER === '1' ? it.skip : it;

/**
 * Gives the tests of a file the console. After each test, what the console asked for in vain, and answers that the contract does not allow,
 * fail it.
 */
export function onScreens(): (path: string, answers?: Answers, options?: BrowserUserOptions) => Promise<Screen> {
  let server: RecordedServer;
  beforeAll(async () => {
    server = await RecordedServer.start(built, addresses.get('') ?? newAddress());
  });
  const start = inBrowser(() => server.origin, { handsOn: true, isForAllFiles: true });
  afterEach(() => {
    expect(server.end()).toEqual([]);
  });
  afterAll(() => server.pause());

  return async (path, answers = {}, options = {}) => {
    server.show({ ...signedIn('owner'), ...answers });
    const user = await start({ ...options, isApplication: true });
    await user.open(path);
    return Object.assign(user, { server });
  };
}
