import { deliveryStates } from '@sheaf/contracts';
import { Option, type Command } from 'commander';
import type { Answer } from './app-command';
import { Failure } from './failure';
import { confirm, confirmed, group, isJson, leaf, of, paged, passedOn, showList, showOne } from './leaf';
import { fields, table } from './show';
import type { Surroundings } from './surroundings';

const timeHelp = 'an RFC 3339 date-time with an offset: 2026-11-21T10:00:00Z';

/** Commands that show deliveries and redeliver them. */
export function deliveryCommands(program: Command, world: Surroundings): void {
  const deliveries = group(program, 'deliveries', 'the deliveries to subscribers, and redelivery', 'deliveries list --state failed');
  listCommand(deliveries, world);
  showCommand(deliveries, world);
  redeliverCommand(deliveries, world);
}

function listCommand(deliveries: Command, world: Surroundings): void {
  const list = paged(leaf(deliveries, 'list', 'lists the newest deliveries', 'deliveries list --state failed --from 2026-11-21T00:00:00Z'))
    .addOption(new Option('--state <state>').choices(deliveryStates))
    .option('--form <id>', 'only deliveries of this form')
    .option('--from <time>', `planned at or after this time; ${timeHelp}`)
    .option('--to <time>', 'planned before this time');
  list.action(async () =>
    showList(world, list, await world.ask('delivery', ['list-deliveries', ...passedOn(list)]), {
      id: of('id'),
      event: of('event'),
      form: of('form_id'),
      url: of('url'),
      state: of('state'),
      attempts: of('attempt_count'),
      planned: of('created_at'),
    }),
  );
}

function showCommand(deliveries: Command, world: Surroundings): void {
  const show = leaf(deliveries, 'show', 'shows a delivery with its attempts and its body', 'deliveries show 0197f0c2-…').argument(
    '<id>',
    'see: deliveries list',
  );
  show.action(async (id: string) => {
    const answer = await world.ask('delivery', ['show-delivery', `--id=${id}`]);
    if (isJson(show)) return world.say(JSON.stringify(answer));
    const { attempts, body, ...rest } = answer as { attempts: Answer[]; body: string };
    world.say(fields(rest));
    world.say(
      table(attempts, {
        attempt: of('number'),
        started: of('started_at'),
        ms: of('duration_ms'),
        status: of('status'),
        error: of('error'),
      }),
    );
    world.say(body);
  });
}

function redeliverCommand(deliveries: Command, world: Surroundings): void {
  const redeliver = confirmed(
    leaf(
      deliveries,
      'redeliver',
      'redelivers one delivery, or all of a period',
      'deliveries redeliver --state failed --from 2026-11-21T10:00:00Z --to 2026-11-21T12:00:00Z',
    ),
  )
    .argument('[id]', 'one delivery; without an id, --from and --to are required')
    .option('--form <id>', 'only deliveries of this form')
    .option('--from <time>', `planned at or after this time; ${timeHelp}`)
    .option('--to <time>', 'planned before this time, at most 31 days after --from')
    .addOption(
      new Option('--state <state>', 'only deliveries that ended in this state (default: failed)').choices(
        deliveryStates.filter((state) => state !== 'pending'),
      ),
    );
  redeliver.action(async (id: string | undefined) => {
    const { from, to, form, state = 'failed' } = redeliver.opts<{ from?: string; to?: string; form?: string; state?: string }>();
    if (id === undefined && (from === undefined || to === undefined))
      throw new Failure('bad_request', '--from, --to: are required without the id of a delivery', 2);
    const which =
      id === undefined
        ? `all deliveries in state ${state} from ${from ?? ''} to ${to ?? ''} for ${form === undefined ? 'all forms' : `the form ${form}`}`
        : `the delivery ${id}`;
    await confirm(world, redeliver, `Redeliver ${which}?`);
    const answer = await world.ask('delivery', ['redeliver', ...passedOn(redeliver), ...(id === undefined ? [] : [`--id=${id}`])]);
    const leftOut = answer.left_out as string[];
    showOne(world, redeliver, answer);
    if (leftOut.length > 0)
      throw new Failure(
        'bad_request',
        `--from, --to: include more deliveries of ${leftOut.join(', ')} than can be redelivered at once; the others are being redelivered. Use a shorter period.`,
      );
  });
}
