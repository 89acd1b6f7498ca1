import { savedFilesOf, shellOf, type Page } from './markdown';

/** A command of a program, in Commander's shape. */
export interface Subcommand {
  name(): string;
  readonly commands: readonly Subcommand[];
  readonly options: readonly { readonly long?: string | undefined }[];
}

/** The parts of the repository that commands refer to. */
export interface Repository {
  scripts: ReadonlySet<string>;
  /** The targets of each Nx project. */
  targets: ReadonlyMap<string, ReadonlySet<string>>;
  /** The names of the workspace's own Nx generators. */
  generators: ReadonlySet<string>;
  /** The operator's tool behind `npm run sheaf --`. */
  sheaf: Subcommand;
  /** Whether a package provides this program. */
  hasProgram: (name: string) => boolean;
  exists: (path: string) => boolean;
}

/** Every command that refers to something missing, as `<page>: <command>: <reason>`. */
export function brokenCommands(pages: readonly Page[], repository: Repository): string[] {
  return pages.flatMap((page) => {
    const saved = savedFilesOf(page);
    const exists = (path: string) => saved.has(path) || repository.exists(path);
    return shellOf(page)
      .flatMap(commandsOf)
      .flatMap((words) => faultsOf(words, { ...repository, exists }).map((reason) => `${page.path}: ${words.join(' ')}: ${reason}`));
  });
}

/** The simple commands of a piece of shell, without comments, assignments and the keywords of loops. */
export function commandsOf(shell: string): string[][] {
  const lines = shell.replace(/\\\n\s*/g, ' ').split('\n');
  return lines
    .map((line) => line.replace(/(^|\s)#.*$/, '$1'))
    .flatMap((line) => line.split(/&&|\|\||[;|()]/))
    .map((piece) => piece.trim().split(/\s+/))
    .map((words) => words.slice(words.findIndex((word) => !/^(?:[A-Z_]+=.*|\$|do|then|else|exec)$/.test(word))))
    .filter(([first = '']) => first !== '');
}

/** `<app>`, `$service`, `…`: a placeholder for the reader to fill in. */
const isPlaceholder = (word: string): boolean => /[<>$…*[\]]/.test(word);
const repositoryPath = /^(?:apps|libs|tools|deploy|docs|proto|\.ci|\.github)\/[\w./-]+$/;
// Created by the commands next to it.
const generated = new Set(['deploy/.env']);

function faultsOf(words: readonly string[], repository: Repository): string[] {
  const [program = '', ...rest] = words;
  const missing = [program, ...rest].filter((word) => repositoryPath.test(word) && !generated.has(word) && !repository.exists(word));
  const faults = missing.map((path) => `${path} does not exist`);
  if (program === 'npm') faults.push(...npmFaults(rest, repository));
  if (program === 'npx') faults.push(...npxFaults(rest, repository));
  if (program === 'node') faults.push(...nodeFaults(rest, repository));
  return [...new Set(faults)];
}

const scriptVerbs = new Set(['start', 'test', 'run', 'run-script']);

function npmFaults(words: readonly string[], { scripts, sheaf }: Repository): string[] {
  const end = words.indexOf('--');
  const [verb = '', named = ''] = (end < 0 ? words : words.slice(0, end)).filter((word) => !word.startsWith('-'));
  if (!scriptVerbs.has(verb)) return [];
  const script = verb.startsWith('run') ? named : verb;
  if (isPlaceholder(script)) return [];
  if (!scripts.has(script)) return [`package.json has no script ${script}`];
  return script === 'sheaf' && end >= 0 ? sheafFaults(words.slice(end + 1), sheaf) : [];
}

function sheafFaults(words: readonly string[], program: Subcommand): string[] {
  let command = program;
  const remaining = [...words];
  while (command.commands.length > 0 && remaining[0] !== undefined && !remaining[0].startsWith('-') && !isPlaceholder(remaining[0])) {
    const name = remaining.shift();
    const next = command.commands.find((subcommand) => subcommand.name() === name);
    if (!next) return [`${command.name()} has no command ${String(name)}`];
    command = next;
  }
  if (remaining[0] !== undefined && isPlaceholder(remaining[0])) return [];
  const known = new Set(['--help', ...command.options.map(({ long }) => long)]);
  const used = remaining.flatMap((word) => /^--[a-z-]+/.exec(word)?.[0] ?? []);
  return used.filter((option) => !known.has(option)).map((option) => `${command.name()} has no option ${option}`);
}

function npxFaults([program = '', ...rest]: readonly string[], repository: Repository): string[] {
  if (program === 'nx') return nxFaults(rest, repository);
  return isPlaceholder(program) || repository.hasProgram(program) ? [] : [`no package provides ${program}`];
}

/** Nx's own subcommands, which name no target. */
const nxVerbs = new Set(['show', 'graph', 'reset', 'report', 'format:check', 'format:write']);

function nxFaults(words: readonly string[], repository: Repository): string[] {
  const [verb = '', second = ''] = words;
  if (nxVerbs.has(verb)) return [];
  if (verb === 'generate' || verb === 'g') {
    const name = second.split(':').at(-1) ?? '';
    return isPlaceholder(name) || repository.generators.has(name) ? [] : [`the workspace has no generator ${name}`];
  }
  if (verb === 'run') return targetFaults(second.split(':')[0] ?? '', second.split(':')[1] ?? '', repository);
  if (verb === 'run-many' || verb === 'affected') {
    const projects = [...valuesOf(words, '-p', '--projects'), ...valuesOf(words, '--exclude')];
    const targets = valuesOf(words, '-t', '--target', '--targets');
    return [
      ...projects.flatMap((project) => targetFaults(project, undefined, repository)),
      ...targets.flatMap((target) => targetFaults(undefined, target, repository)),
    ];
  }
  return second === '' ? [`nx ${verb} names no project`] : targetFaults(second, verb, repository);
}

/** The values of an option that takes several: `-t lint test`, `-t lint,test` or `--targets=lint,test`. */
function valuesOf(words: readonly string[], ...names: string[]): string[] {
  return words.flatMap((word, index) => {
    const [name = '', value] = word.split('=');
    if (!names.includes(name)) return [];
    if (value !== undefined) return value.split(',');
    const following = words.slice(index + 1);
    const end = following.findIndex((next) => next.startsWith('-'));
    return following.slice(0, end < 0 ? undefined : end).flatMap((next) => next.split(','));
  });
}

/** @param project undefined: any project will do. @param target undefined: only the project has to exist. */
function targetFaults(project: string | undefined, target: string | undefined, { targets }: Repository): string[] {
  const isAny = project === undefined || isPlaceholder(project);
  if (!isAny && !targets.has(project)) return [`there is no project ${project}`];
  if (target === undefined || isPlaceholder(target)) return [];
  const candidates = isAny ? [...targets.values()] : [targets.get(project) ?? new Set<string>()];
  if (candidates.some((known) => known.has(target))) return [];
  return [isAny ? `no project has the target ${target}` : `${project} has no target ${target}`];
}

function nodeFaults(words: readonly string[], { exists }: Repository): string[] {
  const script = words.find((word) => !word.startsWith('-'));
  if (script === undefined || isPlaceholder(script) || words.some((word) => ['-e', '-p', '--eval', '--print'].includes(word))) return [];
  const built = /^dist\/((?:apps|tools)\/[\w-]+)\/main\.cjs$/.exec(script)?.[1];
  if (built !== undefined) return exists(`${built}/src/main.ts`) ? [] : [`no build produces ${script}`];
  // The path inside an image.
  return script.startsWith('/app/') || exists(script) ? [] : [`${script} does not exist`];
}
