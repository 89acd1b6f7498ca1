import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cacheDir, onPath } from './find-nats-server';
import { run, works } from './run';

/** A browser on this machine. */
export type Chromium = {
  executable: string;
  /** The environment in which it runs. */
  env: Record<string, string | undefined>;
};

export type FindChromiumOptions = {
  env: NodeJS.ProcessEnv;
  platform?: NodeJS.Platform;
  arch?: string;
};

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const macApp = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/**
 * Finds a Chromium for tests: in $CHROMIUM, on PATH, or in the npm package @sparticuz/chromium, which is unpacked into our cache.
 * @throws Error that explains how to install one.
 */
export async function findChromium({ env, platform = process.platform, arch = process.arch }: FindChromiumOptions): Promise<Chromium> {
  const chosen = env.CHROMIUM ?? '';
  if (chosen !== '') {
    if (await works([chosen, '--version'], env)) return { executable: chosen, env };
    throw new Error(`CHROMIUM is ${chosen}, which is not a browser that runs on this machine.`);
  }
  const installed = [...names.flatMap((name) => onPath(env.PATH ?? '', name)), ...(platform === 'darwin' ? [macApp] : [])];
  for (const executable of installed) {
    // Some of these only say how to install the browser.
    if ((await exists(executable)) && (await works([executable, '--version'], env))) return { executable, env };
  }
  // The package holds a program for Linux on x64 only.
  const reason =
    platform === 'linux' && arch === 'x64' ? await whyNot(() => unpacked(env)) : `the package has none for ${platform} ${arch}`;
  if (typeof reason !== 'string') return reason;
  throw new Error(
    [
      'No Chromium was found for the tests. Install one (Debian: apt-get install chromium; macOS: brew install --cask google-chrome),',
      'or point CHROMIUM to its program. SKIP_BROWSER=1 skips the tests that need it.',
      `  tried ${names.join(', ')} on PATH, and @sparticuz/chromium: ${reason}`,
    ].join('\n'),
  );
}

async function whyNot<T>(find: () => Promise<T>): Promise<T | string> {
  try {
    return await find();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** The browser of the npm package, with the libraries and a font that a machine without a desktop lacks. */
async function unpacked(env: NodeJS.ProcessEnv): Promise<Chromium> {
  const entry = createRequire(__filename).resolve('@sparticuz/chromium');
  const { version } = JSON.parse(await readFile(join(dirname(entry), '../package.json'), 'utf8')) as { version: string };
  const folder = join(cacheDir(env), `chromium-${version}`);
  if (!(await exists(folder))) await unpack(entry, folder, env);

  const executable = join(folder, 'chromium');
  const browserEnv = {
    ...env,
    LD_LIBRARY_PATH: [join(folder, 'al2023/lib'), env.LD_LIBRARY_PATH ?? ''].filter((path) => path !== '').join(':'),
    FONTCONFIG_FILE: join(folder, 'fonts.conf'),
  };
  await run([executable, '--version'], { timeoutMs: 20_000, env: browserEnv });
  return { executable, env: browserEnv };
}

/** Several test runs may do this at once: the first one to finish gives the folder its name. */
async function unpack(entry: string, folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const draft = await mkdtemp(`${folder}.`);
  try {
    // The package is an ES module, which jest cannot load, and it unpacks into the temporary folder.
    const script = `import { inflate } from ${JSON.stringify(pathToFileURL(entry).href)};
      for (const name of ['chromium.br', 'al2023.tar.br', 'fonts.tar.br']) await inflate(${JSON.stringify(join(dirname(entry), '../bin'))} + '/' + name);`;
    await run([process.execPath, '--input-type=module', '--eval', script], { timeoutMs: 120_000, env: { ...env, TMPDIR: draft } });
    await writeFile(join(draft, 'fonts.conf'), fontsConfig(folder));
    await rename(draft, folder);
  } catch (error) {
    if (!(await exists(folder))) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** The fonts of this machine, if it has any, and the font of the package. */
const fontsConfig = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${folder}/fonts/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`;
