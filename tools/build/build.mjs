// Bundles entry files of a project, by default src/main.ts, into dist/<project folder>.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openBundle, root } from './bundle.mjs';

const [, , project, ...entries] = process.argv;
const files = entries.length > 0 ? entries : ['src/main.ts'];
if (!project || files.some((entry) => !existsSync(join(root, project, entry)))) {
  console.error('usage: node tools/build/build.mjs <project folder> [<file in it, default src/main.ts> …]');
  process.exit(2);
}

try {
  for (const entry of files) {
    const bundle = openBundle(project, { entry });
    await bundle.rebuild().finally(() => bundle.dispose());
  }
} catch (error) {
  // esbuild has already printed its own errors.
  if (!Array.isArray(error.errors)) console.error(error);
  process.exit(1);
}
