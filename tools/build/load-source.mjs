import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * Loads TypeScript of this repository into a script.
 * @param {string} contents code that exports what the script needs, with imports from the root
 * @returns {Promise<any>} what it exports
 */
export async function loadSource(contents) {
  const outfile = join(root, `dist/scripts/${process.pid}.cjs`);
  await build({
    absWorkingDir: root,
    stdin: { contents, resolveDir: root },
    outfile,
    tsconfig: 'tsconfig.base.json',
    bundle: true,
    platform: 'node',
    format: 'cjs',
    packages: 'external',
    logLevel: 'warning',
  });
  try {
    return createRequire(import.meta.url)(outfile);
  } finally {
    rmSync(outfile);
  }
}
