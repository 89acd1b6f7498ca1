// npm run dev: all of Sheaf in the foreground, rebuilt and restarted as sources change.
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bootstrap, build, root } from '../build/bootstrap.mjs';

await bootstrap();
await build(['system'], { silent: true });

// Imported here because bootstrap installs them.
const { formatMessages } = await import('esbuild');
const { openBundle } = await import('../build/bundle.mjs');
const { dev } = createRequire(import.meta.url)('../../dist/tools/system/dev.cjs');

dev(
  {
    root,
    // Not minified, so that a debugger shows the source as written.
    openBundle: (app, outDir) =>
      openBundle(`apps/${app}`, { outDir, settings: { minifyWhitespace: false, minifySyntax: false, logLevel: 'silent' } }),
    generate: async () => {
      await promisify(execFile)(process.execPath, [join(root, 'tools/build/generate-rpc.mjs')], { cwd: root });
    },
    describe: async (error, { colour }) => {
      if (Array.isArray(error?.errors)) return (await formatMessages(error.errors, { kind: 'error', color: colour })).join('');
      return String(error?.stderr || error?.stack || error);
    },
  },
  process.argv.slice(2),
);
