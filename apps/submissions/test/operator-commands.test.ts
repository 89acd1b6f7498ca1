import { newId } from '@sheaf/kernel';
import { commandsOnFreshDatabase, refused, wrongUsage } from '@sheaf/testing';
import { migrations } from '../src/migrations';
import { operatorCommands } from '../src/operator-commands';

// The commands that the operator's tool runs, up to their answer. apps/e2e runs some of them in processes of their own.

const run = commandsOnFreshDatabase(operatorCommands, migrations);

it.each([
  [['set-retention', `--instance=${newId()}`, '--files-days=0'], '--files-days: must be from 1 to 36500 days, or never'],
  [['show-retention', '--instance=nobody'], '--instance: must be the id of an instance'],
])('%j is wrong usage, and the message names the option', async ([name = '', ...args], message) =>
  expect(run(name, ...args)).rejects.toEqual(wrongUsage(message)),
);

it.each([
  [['erase-submission', '--id=nonsense'], 'There is no such submission'],
  [['erase-submission', `--id=${newId()}`], 'There is no such submission'],
  [['recount-insights', '--form=nonsense'], 'Nothing has been counted for this form'],
  [['recount-insights', `--form=${newId()}`], 'Nothing has been counted for this form'],
])('%j is refused', async ([name = '', ...args], message) =>
  expect(run(name, ...args)).rejects.toEqual(refused('not_found', new RegExp(message))),
);
