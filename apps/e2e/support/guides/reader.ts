import { chmod, copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePorts } from '@sheaf/embedded';
import { transform } from 'esbuild';
import { jsonDifference, lastJson, showsText } from './output';
import type { Block } from './page';
import { Terminal } from './terminal';
import { typeErrors } from './types';

const repository = join(__dirname, '../../../..');

/** A system that the reader has started. */
export interface StartedSystem {
  origin: string;
  dataDir: string;
}

/** The end of the output of earlier blocks in a program that is continued. */
const continuation = 'the guide continues here';

/** Works through a guide as a person would: saves its files, runs its commands and programs, and compares their output. */
export class Reader {
  private readonly programs: string[] = [];
  private readonly typed: string[] = [];
  private background: Terminal | undefined;
  /** The folder in which the last command or program ran. */
  private last: Terminal | undefined;

  private constructor(
    private readonly home: string,
    private readonly folder: string,
    private readonly env: NodeJS.ProcessEnv,
    private readonly terminal: Terminal,
    private readonly ports: Readonly<Record<string, string>>,
  ) {}

  /** Starts in an empty folder, with a running system. */
  static async begin({ origin, dataDir }: StartedSystem): Promise<Reader> {
    const home = await mkdtemp(join(tmpdir(), 'sheaf-guide-'));
    const folder = join(home, 'reader');
    const bin = join(home, 'bin');
    await Promise.all([mkdir(folder), mkdir(bin), mkdir(join(home, 'sheaf'))]);
    // Node looks for packages here if the reader has not installed them.
    await symlink(join(repository, 'node_modules'), join(home, 'node_modules'));
    await symlink(dataDir, join(folder, '.data'));
    await symlink(dataDir, join(home, 'sheaf/.data'));
    await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
    for (const program of ['npm', 'npx']) {
      await copyFile(join(__dirname, `${program}.cjs`), join(bin, program));
      await chmod(join(bin, program), 0o755);
    }

    const env = {
      ...process.env,
      PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
      GUIDE_REPOSITORY: repository,
      DATA_DIR: dataDir,
      // Programs keep what they know about the reader here, and not where the tests' user has it.
      XDG_CONFIG_HOME: join(home, 'config'),
      NODE_NO_WARNINGS: '1',
    };
    const [own] = await freePorts(1);
    const ports = { 'http://localhost:8080': origin, '3000': String(own) };
    return new Reader(home, folder, env, new Terminal(folder, env), ports);
  }

  /** Follows a block as a reader would. @throws Error if it fails, or if its output differs from the guide */
  async follow(block: Block): Promise<void> {
    const code = Object.entries(this.ports).reduce((text, [shown, here]) => text.replaceAll(shown, here), block.code);
    if (block.file !== undefined) return this.save(block.file, code);
    switch (block.language) {
      case 'sh':
        return this.runInShell(code, block.words.includes('background'));
      case 'js':
      case 'ts':
      case 'python':
        return this.runProgram(code, block);
      case 'json':
        return this.compareJson(code, block);
      case 'text':
        return this.compareText(code, block);
      default:
        throw new Error(`a block in "${block.language}" needs a file name: only sh, js, ts, python, json and text can be run or compared`);
    }
  }

  /** TypeScript's errors in the programs of the guide. */
  typeErrors(): string[] {
    return typeErrors(this.typed, join(repository, 'node_modules/@types'), this.home);
  }

  async close(): Promise<void> {
    await Promise.all([this.terminal.close(), this.background?.close()]);
    await rm(this.home, { recursive: true, force: true });
  }

  private async save(file: string, code: string): Promise<void> {
    const path = join(this.folder, file);
    if (file.endsWith('.json')) JSON.parse(code);
    if (file.endsWith('.ts')) this.typed.push(path);
    await writeFile(path, `${code}\n`);
  }

  private async runInShell(code: string, inBackground: boolean): Promise<void> {
    if (!inBackground) {
      this.last = this.terminal;
      return this.terminal.run(code);
    }
    await this.background?.close();
    this.background = new Terminal(this.folder, this.env);
    this.last = this.background;
    return this.background.start(code);
  }

  private async runProgram(code: string, { line, language, words }: Block): Promise<void> {
    const before = words.includes('continued') ? this.programs.join('\n') : '';
    const mark = language === 'python' ? `print('${continuation}')` : `console.log('${continuation}');`;
    const program = before === '' ? code : `${before}\n${mark}\n${code}`;
    if (before === '') this.programs.length = 0;
    this.programs.push(code);
    const name = `program-${line}`;
    this.last = this.terminal;
    if (language === 'python') {
      await writeFile(join(this.folder, `${name}.py`), program);
      return this.terminal.run(`python3 ${name}.py`);
    }
    if (language === 'ts') {
      const source = join(this.folder, `${name}.ts`);
      await writeFile(source, program);
      this.typed.push(source);
    }
    await writeFile(join(this.folder, `${name}.mjs`), (await transform(program, { loader: 'ts', format: 'esm' })).code);
    await this.terminal.run(`node ${name}.mjs`);
  }

  private async compareJson(code: string, block: Block): Promise<void> {
    const expected: unknown = JSON.parse(code);
    const differs = () => jsonDifference(expected, lastJson(this.output(block)));
    await this.wait(
      block,
      () => differs() === undefined,
      () => `${differs() ?? ''}:\n${this.output(block)}`,
    );
  }

  private async compareText(code: string, block: Block): Promise<void> {
    await this.wait(
      block,
      () => showsText(code, this.output(block)),
      () => `the output does not show this text:\n${this.output(block)}`,
    );
  }

  private terminalOf({ words }: Block): Terminal {
    const terminal = words.includes('background') ? this.background : this.last;
    if (!terminal) throw new Error('nothing has run yet, so there is no output to compare');
    return terminal;
  }

  private output(block: Block): string {
    return this.terminalOf(block).output.split(`${continuation}\n`).at(-1) ?? '';
  }

  /** Waits for output in the background. Everything else has already run to its end. */
  private async wait(block: Block, isMet: () => boolean, reason: () => string): Promise<void> {
    const terminal = this.terminalOf(block);
    if (terminal === this.background) await terminal.until(isMet);
    else if (!isMet()) throw new Error(reason());
  }
}
