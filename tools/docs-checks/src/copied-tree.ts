import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './repository';

const parts = [
  'apps',
  'libs',
  'proto',
  'tools/build',
  'tools/generators',
  'docs/openapi.json',
  'nx.json',
  'package.json',
  'tsconfig.base.json',
  '.prettierrc.json',
];
const leftOut = /\.test\.tsx?$|\/(?:n8n-nodes-sheaf|zapier|e2e|node_modules|screens|test|night|dist)$/;

/** A copy of the code without its tests, to be changed as a page of docs/contributing says. */
export class CopiedTree {
  readonly #folder = mkdtempSync(join(tmpdir(), 'sheaf-contributing-'));

  constructor() {
    for (const part of parts)
      cpSync(join(root, part), join(this.#folder, part), { recursive: true, filter: (path) => !leftOut.test(path) });
    symlinkSync(join(root, 'node_modules'), join(this.#folder, 'node_modules'));
    const config = {
      extends: './tsconfig.base.json',
      compilerOptions: { lib: ['es2023', 'es2024.string', 'dom', 'dom.iterable'], types: ['vite/client', 'node', 'jest'] },
    };
    this.write('tsconfig.json', JSON.stringify(config));
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  read(file: string): string {
    return readFileSync(join(this.#folder, file), 'utf8');
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(join(this.#folder, file)), { recursive: true });
    writeFileSync(join(this.#folder, file), text);
  }

  replace(file: string, from: string, to: string): void {
    const text = this.read(file);
    if (!text.includes(from)) throw new Error(`${file} does not contain "${from}".`);
    this.write(file, text.replace(from, to));
  }

  /** Adds a line before the first one that begins like this. */
  insert(file: string, before: string, line: string): void {
    const lines = this.read(file).split('\n');
    const at = lines.findIndex((each) => each.trimStart().startsWith(before));
    if (at < 0) throw new Error(`${file} has no line that begins with "${before}".`);
    this.write(file, lines.toSpliced(at, 0, line).join('\n'));
  }

  async run(script: string, ...args: readonly string[]): Promise<string> {
    const env = {
      ...process.env,
      NX_DAEMON: 'false',
      NX_NO_CLOUD: 'true',
      NX_TUI: 'false',
      NX_INTERACTIVE: 'false',
      NX_ISOLATE_PLUGINS: 'false',
    };
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], { cwd: this.#folder, env });
    return stdout;
  }

  /** Runs `npx nx generate`. */
  generate(...args: readonly string[]): Promise<string> {
    const nx = createRequire(join(root, 'package.json'))('nx/package.json') as { bin: { nx: string } };
    return this.run(join('node_modules/nx', nx.bin.nx), 'generate', ...args);
  }

  /** Those of these files and of what they import that do not compile. */
  async broken(...include: readonly string[]): Promise<string[]> {
    this.write('tsconfig.part.json', JSON.stringify({ extends: './tsconfig.json', include, exclude: ['libs/testing'] }));
    const compiler = 'node_modules/typescript-native/bin/tsc';
    // Its threads would repeat each other's work, at twice the cost.
    const output = await this.run(compiler, '-p', 'tsconfig.part.json', '--singleThreaded', '--pretty', 'false').catch(
      (thrown: unknown) => {
        const { stdout } = thrown as { stdout: string };
        if (!stdout.includes(': error TS')) throw thrown;
        return stdout;
      },
    );
    return [...new Set([...output.matchAll(/^(\S+)\(\d+,\d+\): error/gm)].map(([, file = '']) => file))];
  }
}
