import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** The compiler that checks Sheaf itself. It takes half a second where the one in JavaScript, loaded into a test, took five. */
const compiler = join(__dirname, '../../../../node_modules/typescript-native/bin/tsc');
const options = [
  ...['--pretty', 'false', '--strict', '--noEmit', '--skipLibCheck', '--types', 'node'],
  ...['--target', 'es2023', '--lib', 'es2023,dom,dom.iterable'],
  ...['--module', 'esnext', '--moduleResolution', 'bundler', '--moduleDetection', 'force'],
];

/** Strict TypeScript's errors in these programs. */
export function typeErrors(files: readonly string[], typeRoot: string, folder: string): string[] {
  if (files.length === 0) return [];
  const { stdout, stderr, status } = spawnSync(process.execPath, [compiler, ...options, '--typeRoots', typeRoot, ...files], {
    // No folder above has a tsconfig.json, which the compiler would rather read.
    cwd: folder,
    encoding: 'utf8',
  });
  if (status === 0) return [];
  // An error may have several lines, of which all but the first are indented.
  return `${stdout}${stderr}`.trim().split(/\n(?=\S)/);
}
