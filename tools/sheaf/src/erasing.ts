import { type Command, Option } from 'commander';
import type { Answer } from './app-command';
import { cell } from './show';
import { column, confirm, forwardedOptions, group, isJson, leaf, showList, showOne, withConfirmation, withPaging } from './leaf';
import type { ToolContext } from './context';
import { fields, table } from './show';

const inBackground = 'The other services erase their copies in the background: erasures show tells how far they are.';

/** Commands that erase for good, and decide how long forms keep submissions. */
export function erasingCommands(program: Command, context: ToolContext): void {
  const forms = group(program, 'forms', 'erasing forms, and how long they keep submissions', 'forms keeping 0197f0c2-… --trash-days 30');
  eraseCommand(forms, context, { app: 'forms', name: 'erase-form', what: 'form', everything: ' with everything that belongs to it' });
  keepingCommand(forms, context);
  const submissions = group(program, 'submissions', 'erasing submissions', 'submissions erase 0197f0c2-…');
  eraseCommand(submissions, context, { app: 'submissions', name: 'erase-submission', what: 'submission', everything: '' });
  const people = group(program, 'people', 'erasing people', 'people erase 0197f0c2-…');
  erasePersonCommand(people, context);
  const instances = instancesOf(program);
  eraseInstanceCommand(instances, context);
  retentionCommand(instances, context);
  const erasures = group(program, 'erasures', 'what was erased for good, and how far it is', 'erasures list');
  listCommand(erasures, context);
  showCommand(erasures, context);
}

interface Erasing {
  app: 'forms' | 'submissions';
  name: string;
  what: string;
  everything: string;
}

function eraseCommand(parent: Command, context: ToolContext, { app, name, what, everything }: Erasing): void {
  const erase = withConfirmation(
    leaf(parent, 'erase', `erases a ${what} from the trash for good${everything}`, `${parent.name()} erase 0197f0c2-…`),
  ).argument('<id>', `the ${what}, which must be in the trash`);
  erase.action(async (id: string) => {
    await confirm(context, erase, `Erase the ${what} ${id}${everything}? Nothing brings it back.`);
    showOne(context, erase, await context.runCommand(app, [name, `--id=${id}`]), inBackground);
  });
}

/** The group that `accountCommands` has made. */
function instancesOf(program: Command): Command {
  const found = program.commands.find((command) => command.name() === 'instances');
  if (!found) throw new Error('the commands of instances come first');
  return found;
}

function eraseInstanceCommand(instances: Command, context: ToolContext): void {
  const erase = withConfirmation(
    leaf(instances, 'erase', 'erases an instance for good, with its workspaces, forms, people and keys', 'instances erase acme'),
  ).argument('<instance>', 'its id, its domain or one of its workspaces');
  erase.action(async (name: string) => {
    await confirm(context, erase, `Erase the instance ${name} with everything that belongs to it? Nothing brings it back.`);
    const note = 'Its forms are erased in the background; those under legal hold stay until it is lifted.';
    showOne(context, erase, await context.runCommand('workspaces', ['erase-instance', `--instance=${name}`]), note);
  });
}

function erasePersonCommand(people: Command, context: ToolContext): void {
  const erase = withConfirmation(leaf(people, 'erase', 'erases a person for good, but for their id', 'people erase 0197f0c2-…'))
    .argument('<id>', 'see: users list')
    .option('--instance <name>', 'an instance, by its id, its domain or one of its workspaces');
  erase.action(async (id: string) => {
    await confirm(context, erase, `Erase the person ${id}? Nothing brings them back.`);
    showOne(
      context,
      erase,
      await context.runCommand('workspaces', ['erase-person', `--id=${id}`, ...forwardedOptions(erase)]),
      inBackground,
    );
  });
}

const daysHelp = (what: string): string => `erase ${what} after this many days, or “never”`;

function keepingCommand(forms: Command, context: ToolContext): void {
  const keeping = withConfirmation(
    leaf(
      forms,
      'keeping',
      'shows or changes how long a form keeps submissions, and whether it is under legal hold',
      'forms keeping 0197f0c2-… --submissions-days 730 --legal-hold off',
    ),
  )
    .argument('<id>', 'the form')
    .option('--trash-days <days>', daysHelp('submissions in the trash'))
    .option('--submissions-days <days>', daysHelp('submissions, wherever they are,'))
    .option('--files-days <days>', daysHelp('the files of submissions'))
    .addOption(new Option('--legal-hold <on|off>', 'while on, nothing of the form is erased').choices(['on', 'off']));
  keeping.action(async (id: string) => {
    const changes = forwardedOptions(keeping);
    if (changes.length > 0) await confirm(context, keeping, `Change how long the form ${id} keeps submissions?`);
    const command = changes.length > 0 ? 'set-keeping' : 'show-keeping';
    const decided = await context.runCommand('forms', [command, `--id=${id}`, ...changes]);
    const answer = { ...decided, ...(await scheduleOf(context, decided)) };
    showOne(context, keeping, answer, undoing(answer, `forms keeping ${id}`));
  });
}

function retentionCommand(instances: Command, context: ToolContext): void {
  const retention = withConfirmation(
    leaf(
      instances,
      'retention',
      'shows or changes how long the forms of an instance keep submissions, unless they decide it themselves',
      'instances retention acme --trash-days 30',
    ),
  )
    .argument('<instance>', 'its id, its domain or one of its workspaces')
    .option('--trash-days <days>', daysHelp('submissions in the trash'))
    .option('--submissions-days <days>', daysHelp('submissions, wherever they are,'))
    .option('--files-days <days>', daysHelp('the files of submissions'));
  retention.action(async (name: string) => {
    const { id } = (await context.runCommand('workspaces', ['show-instance', `--instance=${name}`])) as { id: string };
    const changes = forwardedOptions(retention);
    if (changes.length > 0) await confirm(context, retention, `Change how long the forms of the instance ${name} keep submissions?`);
    const command = changes.length > 0 ? 'set-retention' : 'show-retention';
    const answer = await context.runCommand('submissions', [command, `--instance=${id}`, ...changes]);
    showOne(context, retention, answer, undoing(answer, `instances retention ${name}`));
  });
}

const retentionDays = ['trash_days', 'submissions_days', 'files_days'] as const;

/** The days that a form keeps now, and from when it will keep less. The service that erases may not have heard yet of what was decided. */
function scheduleOf(context: ToolContext, decided: Answer): Promise<Answer> {
  const days = retentionDays.flatMap((name) => (decided[name] == null ? [] : [`--${optionOf(name)}=${cell(decided[name])}`]));
  return context.runCommand('submissions', [
    'show-form-retention',
    `--form=${cell(decided.id)}`,
    `--instance=${cell(decided.instance)}`,
    ...days,
  ]);
}

/** The command that undoes shorter days which are not in force yet; undefined if there are none. */
function undoing({ upcoming }: Answer, command: string): string | undefined {
  const changes = (upcoming as { setting: string; undo_days?: number }[] | undefined) ?? [];
  if (changes.length === 0) return undefined;
  const before = changes.map(({ setting, undo_days: days = 'never' }) => `--${optionOf(setting)} ${days}`);
  return `Until the shorter days take effect, this undoes them: ${command} ${before.join(' ')}`;
}

const optionOf = (name: string): string => name.replaceAll('_', '-');

function listCommand(erasures: Command, context: ToolContext): void {
  const list = withPaging(leaf(erasures, 'list', 'lists the newest erasures', 'erasures list --limit 20'));
  list.action(async () =>
    showList(context, list, await context.runCommand('workspaces', ['list-erasures', ...forwardedOptions(list)]), {
      id: column('id'),
      kind: column('kind'),
      target: column('target_id'),
      reason: column('reason'),
      requested: column('requested_at'),
      missing: (row) => cell((row.missing as string[]).join(', ')),
    }),
  );
}

function showCommand(erasures: Command, context: ToolContext): void {
  const show = leaf(erasures, 'show', 'shows which services have completed an erasure', 'erasures show 0197f0c2-…').argument(
    '<id>',
    'see: erasures list',
  );
  show.action(async (id: string) => {
    const answer = await context.runCommand('workspaces', ['show-erasure', `--id=${id}`]);
    if (isJson(show)) return context.print(JSON.stringify(answer));
    const { services, missing, ...rest } = answer as { services: Answer[]; missing: string[] };
    context.print(fields({ ...rest, missing: missing.join(', ') }));
    context.print(
      table(services, { service: column('service'), confirmed: column('confirmed_at'), erased: (row) => cell(JSON.stringify(row.counts)) }),
    );
  });
}
