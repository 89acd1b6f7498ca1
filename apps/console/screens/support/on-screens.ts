import { join } from 'node:path';
import { inBrowser, type BrowserUser, type BrowserUserOptions } from '@sheaf/testing';
import { signedIn } from '../answers/people';
import { RecordedServer, type Answers } from './recorded-server';

/** The folder into which tools/jest/built-console.cjs puts it. */
const built = join(__dirname, '../../../../dist/apps/pages/console');

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
    server = await RecordedServer.start(built);
  });
  const start = inBrowser(() => server.origin, { handsOn: true });
  afterEach(() => {
    expect(server.end()).toEqual([]);
  });
  afterAll(() => server.stop());

  return async (path, answers = {}, options = {}) => {
    server.show({ ...signedIn('owner'), ...answers });
    const user = await start({ ...options, isApplication: true });
    await user.open(path);
    return Object.assign(user, { server });
  };
}
