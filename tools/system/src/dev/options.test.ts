import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apps, debugPort } from '@sheaf/kernel';
import { readDevOptions } from './options';

const printed: string[] = [];
const read = (...args: string[]) => readDevOptions(args, { print: (text) => printed.push(text), printError: (text) => printed.push(text) });
beforeEach(() => void printed.splice(0));

it('inspects every app, one, or none', () => {
  expect(read()).toEqual({ json: false, inspected: [] });
  expect(read('--inspect')).toEqual({ json: false, inspected: apps });
  expect(read('--inspect=forms', '--json')).toEqual({ json: true, inspected: ['forms'] });
});

it('rejects an unknown app and names the known ones', () => {
  expect(read('--inspect=nothing')).toEqual({ exitCode: 2 });
  expect(printed.join('\n')).toContain(`Allowed choices are ${apps.join(', ')}`);
});

it('gives each app its own debugger port, which the help names', () => {
  expect(new Set(apps.map(debugPort)).size).toBe(apps.length);
  expect(read('--help')).toEqual({ exitCode: 0 });
  for (const app of apps) expect(printed.join('\n')).toContain(`${app} ${debugPort(app)}`);
});

it('has the same debugger ports as the editor and the documentation', () => {
  const read = (path: string) => readFileSync(join(__dirname, '../../../..', path), 'utf8');
  const { configurations } = JSON.parse(read('.vscode/launch.json')) as {
    configurations: { name: string; request: string; port?: number }[];
  };
  const attaching = configurations.filter(({ request }) => request === 'attach').map(({ name, port }) => [name, port]);
  expect(attaching).toEqual(apps.map((app) => [`Attach to ${app}`, debugPort(app)]));
  for (const app of apps) expect(read('docs/contributing/developing.md')).toContain(`| \`${app}\` | ${debugPort(app)} |`);
});
