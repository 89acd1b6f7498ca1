// Bundles files of a project into dist/<its folder>: for an app that is src/main.ts.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openBundle, root } from './bundle.mjs';

const [, , project, ...entries] = process.argv;
const wanted = entries.length > 0 ? entries : ['src/main.ts'];
if (!project || wanted.some((entry) => !existsSync(join(root, project, entry)))) {
  console.error('usage: node tools/build/build.mjs <project folder> [<file in it, if not src/main.ts> …]');
  process.exit(2);
}

try {
  for (const entry of wanted) {
    const bundle = openBundle(project, { entry });
    await bundle.rebuild().finally(() => bundle.dispose());
  }
} catch (error) {
  // esbuild has already printed its own errors.
  if (!Array.isArray(error.errors)) console.error(error);
  process.exit(1);
}
