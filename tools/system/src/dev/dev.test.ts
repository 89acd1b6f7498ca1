import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { context } from 'esbuild';
import { startService } from '../service-process';
import { Supervised } from '../supervised';
import { type Bundle, Rebuilds } from './rebuilds';
import { watchSources } from './watch';

// A repository with two apps and a library, built, run and watched as npm run dev does.
let folder: string;
let printed: string[];
let failures: string[];
let generations: number;
let running: Record<string, Supervised>;
let rebuilds: Rebuilds<'one' | 'two'>;
let stopWatching: () => Promise<void>;

const write = (path: string, text: string) => {
  mkdirSync(join(folder, dirname(path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const app = (
  name: string,
) => `import { word } from '../../../libs/word/src/index'; console.log('${name} says ' + word); setInterval(() => undefined, 1000);
  process.on('SIGTERM', () => { console.log('${name} stops'); process.exit(0); });`;

const until = async (condition: () => boolean) => {
  for (let waited = 0; waited < 15_000; waited += 20) {
    if (condition()) return;
    await sleep(20);
  }
  throw new Error(`The condition was not met within 15 s: ${JSON.stringify({ printed, failures })}`);
};

function bundleOf(name: string): Bundle {
  const made = context({
    absWorkingDir: folder,
    entryPoints: [`apps/${name}/src/main.ts`],
    outfile: `out/${name}.cjs`,
    bundle: true,
    platform: 'node',
    metafile: true,
    logLevel: 'silent',
    write: false,
  });
  let before: string | undefined;
  return {
    async rebuild() {
      const { metafile, outputFiles } = await (await made).rebuild();
      const text = outputFiles[0]?.text ?? '';
      const changed = text !== before;
      if (changed) write(`out/${name}.cjs`, text);
      before = text;
      return { inputs: Object.keys(metafile.inputs), changed };
    },
    dispose: async () => (await made).dispose(),
  };
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sheaf-dev-'));
  [printed, failures, generations] = [[], [], 0];
  write('libs/word/src/index.ts', `export const word: string = 'hello';`);
  for (const name of ['one', 'two']) write(`apps/${name}/src/main.ts`, app(name));
  write('libs/rpc/src/generated/types.ts', '');
  write('proto/word.proto', '');

  running = {};
  rebuilds = new Rebuilds({
    bundles: { one: bundleOf('one'), two: bundleOf('two') },
    generate: () => Promise.resolve(void (generations += 1)),
    onChanged: async (name) => running[name]?.restart(),
    onFailed: (what) => failures.push(what),
  });
  expect(await rebuilds.buildAll()).toEqual([]);
  for (const name of ['one', 'two']) {
    const start = () =>
      startService({
        file: join(folder, `out/${name}.cjs`),
        env: { PATH: process.env.PATH },
        cwd: folder,
        onLine: (line) => printed.push(line),
      });
    running[name] = new Supervised({ name, start, pidFile: join(folder, `${name}.pid`), report: (_level, text) => printed.push(text) });
    await running[name].start();
  }
  stopWatching = await watchSources(folder, ['apps', 'libs', 'proto'], (files) => void rebuilds.changed(files));
  await until(() => printed.length === 2);
  printed.splice(0);
});
afterEach(async () => {
  await stopWatching();
  await Promise.all(Object.values(running).map((each) => each.stop()));
  await rebuilds.dispose();
  rmSync(folder, { recursive: true });
});

it('restarts only the app that changed, after it has stopped gracefully', async () => {
  write('apps/one/src/main.ts', app('one').replace('says', 'shouts'));
  await until(() => printed.length === 2);
  expect(printed).toEqual(['one stops', 'one shouts hello']);
});

it('restarts the apps that import a changed library, and none if no code differs', async () => {
  write('libs/word/src/index.ts', `// A comment.\nexport const word: string = 'hello';`);
  write('libs/word/src/index.test.ts', `it('is no part of the app', () => undefined);`);
  await sleep(300);
  expect(printed).toEqual([]);

  write('libs/word/src/index.ts', `export const word: string = 'bye';`);
  await until(() => printed.length === 4);
  expect([...printed].sort()).toEqual(['one says bye', 'one stops', 'two says bye', 'two stops']);
});

it('leaves the process running when a build fails, and a new file can fix the build', async () => {
  write('apps/one/src/main.ts', `import './more';\n${app('one')}`);
  await until(() => failures.length > 0);
  expect(failures).toEqual(['one']);
  expect(printed).toEqual([]);

  write('apps/one/src/more.ts', `console.log('there is more');`);
  await until(() => printed.length === 3);
  expect(printed).toEqual(['one stops', 'there is more', 'one says hello']);
});

it('regenerates the types when a proto changes', async () => {
  write('proto/word.proto', '// changed');
  await until(() => generations === 1);
  expect(printed).toEqual([]);
});

it('restarts a process that keeps dying as soon as its code changes', async () => {
  write('apps/one/src/main.ts', `console.log('dies'); process.exitCode = 1;`);
  await until(() => printed.filter((line) => line === 'dies').length === 3);
  const pausing = printed.length;
  write('apps/one/src/main.ts', app('one'));
  await until(() => printed.includes('one says hello'));
  expect(printed.slice(pausing)).not.toContain('dies');
});
