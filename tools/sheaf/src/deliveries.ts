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
  const deliveries = group(program, 'deliveries', 'what was sent to subscribers, and sending it again', 'deliveries list --state failed');

  const list = paged(leaf(deliveries, 'list', 'the newest deliveries', 'deliveries list --state failed --from 2026-11-21T00:00:00Z'))
    .addOption(new Option('--state <state>').choices(deliveryStates))
    .option('--form <id>', 'only of this form')
    .option('--from <time>', `planned then or later; ${timeHelp}`)
    .option('--to <time>', 'planned before that');
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

  const show = leaf(deliveries, 'show', 'a delivery with its attempts and the body that is sent', 'deliveries show 0197f0c2-…').argument(
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

  const redeliver = confirmed(
    leaf(
      deliveries,
      'redeliver',
      'sends a delivery again, or all of a time',
      'deliveries redeliver --state failed --from 2026-11-21T10:00:00Z --to 2026-11-21T12:00:00Z',
    ),
  )
    .argument('[id]', 'one delivery; without it --from and --to say which')
    .option('--form <id>', 'only of this form')
    .option('--from <time>', `planned then or later; ${timeHelp}`)
    .option('--to <time>', 'planned before that, at most 31 days after --from')
    .addOption(
      new Option('--state <state>', 'only what ended so (default: failed)').choices(deliveryStates.filter((state) => state !== 'pending')),
    );
  redeliver.action(async (id: string | undefined) => {
    const { from, to, form, state = 'failed' } = redeliver.opts<{ from?: string; to?: string; form?: string; state?: string }>();
    if (id === undefined && (from === undefined || to === undefined))
      throw new Failure('bad_request', '--from, --to: are required without the id of a delivery', 2);
    const which =
      id === undefined
        ? `everything ${state} between ${from ?? ''} and ${to ?? ''} of ${form === undefined ? 'all forms' : `the form ${form}`}`
        : `the delivery ${id}`;
    await confirm(world, redeliver, `Send ${which} again?`);
    const answer = await world.ask('delivery', ['redeliver', ...passedOn(redeliver), ...(id === undefined ? [] : [`--id=${id}`])]);
    const leftOut = answer.left_out as string[];
    showOne(world, redeliver, answer);
    if (leftOut.length > 0)
      throw new Failure(
        'bad_request',
        `--from, --to: hold more than can be sent at once of ${leftOut.join(', ')}; the rest is on its way. Please narrow them.`,
      );
  });
}
