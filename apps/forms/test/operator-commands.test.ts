import { newId } from '@sheaf/kernel';
import { commandsOnFreshDatabase, refused, wrongUsage } from '@sheaf/testing';
import { migrations } from '../src/migrations';
import { operatorCommands } from '../src/operator-commands';

// The commands that the operator's tool runs, up to their answer. apps/e2e runs some of them in processes of their own.

const run = commandsOnFreshDatabase(operatorCommands, migrations);

it.each([
  [['set-keeping', `--id=${newId()}`, '--trash-days=0'], '--trash-days: must be from 1 to 36500 days, or never'],
  [['set-keeping', `--id=${newId()}`, '--legal-hold=perhaps'], '--legal-hold: must be one of'],
])('%j is wrong usage, and the message names the option', async ([name = '', ...args], message) =>
  expect(run(name, ...args)).rejects.toEqual(wrongUsage(message)),
);

it.each([
  ['erase-form', 'nonsense'],
  ['erase-form', newId()],
  ['show-keeping', newId()],
  ['set-keeping', newId()],
])('%s of a form that does not exist is refused (%s)', async (name, id) =>
  expect(run(name, `--id=${id}`)).rejects.toEqual(refused('not_found', /There is no such form/)),
);
