import { isId } from '@sheaf/kernel';
import { databaseCommand } from '@sheaf/postgres';
import type { Command } from '@sheaf/runtime';
import { z } from 'zod';
import { listenersOfForm } from './listeners/listeners-of-form.queries';

const id = (of: string) => z.string().refine(isId, `must be the id of ${of}`);

/** Commands for operators. */
export const operatorCommands: Record<string, Command> = {
  'list-listeners': databaseCommand(z.object({ form: id('a form'), instance: id('an instance') }), async (db, wanted) => ({
    listeners: await listenersOfForm(db, wanted),
  })),
};
