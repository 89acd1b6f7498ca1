import { brokenCommands, commandsOf, type Repository, type Subcommand } from './commands';

const subcommand = (name: string, options: string[], ...commands: Subcommand[]): Subcommand => ({
  name: () => name,
  commands,
  options: options.map((long) => ({ long })),
});

const repository: Repository = {
  scripts: new Set(['start', 'sheaf']),
  targets: new Map([
    ['forms', new Set(['build', 'test'])],
    ['rpc', new Set(['generate'])],
  ]),
  generators: new Set(['service']),
  sheaf: subcommand('sheaf', [], subcommand('users', [], subcommand('create', ['--email']))),
  hasProgram: (name) => name === 'jest',
  exists: (path) => ['tools/start.mjs', 'tools/jest/unit.cjs', '.ci/run', 'apps/forms/src/main.ts', 'apps/forms'].includes(path),
};

const broken = (text: string) => brokenCommands([{ path: 'README.md', text }], repository);
const block = (shell: string) => `\`\`\`sh\n${shell}\n\`\`\``;

describe('A command in a Markdown page is accepted:', () => {
  it.each([
    'npm start',
    'npm run -s sheaf -- users create --email=ada@example.org --help',
    'npm ci',
    'npm run sheaf -- … --json',
    'npx nx test forms',
    'npx nx run rpc:generate',
    'npx nx run-many -t build test --exclude=rpc',
    'npx nx affected -t build',
    'npx nx generate service payments',
    'npx nx g workspace:service',
    'npx nx build <app>',
    'npx jest --config tools/jest/unit.cjs',
    'FUZZ_SEED=1 npx jest … fuzz',
    'node tools/start.mjs',
    'node dist/apps/forms/main.cjs migrate',
    'node -p "1 + 1"',
    'node /app/main.cjs',
    '.ci/run',
  ])('%s', (command) => {
    expect(broken(block(command))).toEqual([]);
    expect(broken(`Run \`${command}\` first.`)).toEqual([]);
  });
});

describe('A command in a Markdown page is reported:', () => {
  it.each([
    ['npm run nothing', 'package.json has no script nothing'],
    ['npm test', 'package.json has no script test'],
    ['npm run sheaf -- users remove', 'users has no command remove'],
    ['npm run sheaf -- users create --name Ada', 'create has no option --name'],
    ['npx nx test nothing', 'there is no project nothing'],
    ['npx nx lint forms', 'forms has no target lint'],
    ['npx nx run forms:generate', 'forms has no target generate'],
    ['npx nx run-many -t lint', 'no project has the target lint'],
    ['npx nx run-many -t build -p nothing', 'there is no project nothing'],
    ['npx nx generate rpc', 'the workspace has no generator rpc'],
    ['npx nx build', 'nx build names no project'],
    ['npx nx lint <app>', 'no project has the target lint'],
    ['npx mocha', 'no package provides mocha'],
    ['npx jest --config tools/jest/none.cjs', 'tools/jest/none.cjs does not exist'],
    ['node tools/stop.mjs', 'tools/stop.mjs does not exist'],
    ['node dist/apps/nothing/main.cjs', 'no build produces dist/apps/nothing/main.cjs'],
    ['.ci/walk', '.ci/walk does not exist'],
  ])('%s', (command, reason) => {
    const faults = [...new Set(broken(block(command)).map((fault) => fault.slice(`README.md: ${command}: `.length)))];
    expect(faults).toEqual([reason]);
    expect(broken(`Run \`${command}\` first.`)).not.toEqual([]);
  });

  it('in a later part of a line', () =>
    expect(broken(block('npm start && A=1 npm run nothing   # npm run comment'))).toEqual([
      'README.md: npm run nothing: package.json has no script nothing',
    ]));
  it('in a code span that continues on the next line', () =>
    expect(broken('Run `npx nx\ntest nothing`.')).toEqual(['README.md: npx nx test nothing: there is no project nothing']));
});

it('a command may start a file that the page tells its readers to save', () => {
  expect(broken(`\`\`\`js receiver.mjs\nlisten();\n\`\`\`\n${block('node receiver.mjs')}`)).toEqual([]);
  expect(broken(`\`\`\`js other.mjs\nlisten();\n\`\`\`\n${block('node receiver.mjs')}`)).toHaveLength(1);
});

it('a line of shell is split into its commands', () => {
  expect(commandsOf('A=1 npm start   # comment\nfor x in a b; do node tools/start.mjs; done\nnpm \\\n  test | cat')).toEqual([
    ['npm', 'start'],
    ['for', 'x', 'in', 'a', 'b'],
    ['node', 'tools/start.mjs'],
    ['done'],
    ['npm', 'test'],
    ['cat'],
  ]);
});
