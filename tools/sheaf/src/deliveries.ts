import { deliveryStates } from '@sheaf/contracts';
import { Option, type Command } from 'commander';
import type { Answer } from './app-command';
import { findingsOf, type Facts } from './explain';
import { Failure } from './failure';
import { confirm, withConfirmation, group, isJson, leaf, column, withPaging, forwardedOptions, showList, showOne } from './leaf';
import { cell, fields, table } from './show';
import { tailAttempts, type TailOptions } from './tail-attempts';
import type { ToolContext } from './context';

const reasonHelp = 'only deliveries with this reason, such as backlog_full or restored';
const timeHelp = 'an RFC 3339 date-time with an offset: 2026-11-21T10:00:00Z';

/** Commands that show deliveries and redeliver them. */
export function deliveryCommands(program: Command, context: ToolContext): void {
  const deliveries = group(program, 'deliveries', 'the deliveries to subscribers, and redelivery', 'deliveries list --state failed');
  listCommand(deliveries, context);
  showCommand(deliveries, context);
  explainCommand(deliveries, context);
  tailCommand(deliveries, context);
  redeliverCommand(deliveries, context);
}

function listCommand(deliveries: Command, context: ToolContext): void {
  const list = withPaging(
    leaf(deliveries, 'list', 'lists the newest deliveries', 'deliveries list --state failed --from 2026-11-21T00:00:00Z'),
  )
    .addOption(new Option('--state <state>').choices(deliveryStates))
    .option('--reason <reason>', reasonHelp)
    .option('--form <id>', 'only deliveries of this form')
    .option('--submission <id>', 'only deliveries about this submission')
    .option('--host <host>', 'only deliveries to webhooks at this host, with its port if the address names one: hooks.example.org')
    .option('--from <time>', `planned at or after this time; ${timeHelp}`)
    .option('--to <time>', 'planned before this time');
  list.action(async () =>
    showList(context, list, await context.runCommand('delivery', ['list-deliveries', ...forwardedOptions(list)]), {
      id: column('id'),
      event: column('event'),
      form: column('form_id'),
      url: column('url'),
      state: column('state'),
      attempts: column('attempt_count'),
      planned: column('created_at'),
    }),
  );
}

function showCommand(deliveries: Command, context: ToolContext): void {
  const show = leaf(deliveries, 'show', 'shows a delivery with its attempts and its body', 'deliveries show 0197f0c2-…').argument(
    '<id>',
    'see: deliveries list',
  );
  show.action(async (id: string) => {
    const answer = await context.runCommand('delivery', ['show-delivery', `--id=${id}`]);
    if (isJson(show)) return context.print(JSON.stringify(answer));
    const { attempts, body, ...rest } = answer as { attempts: Attempt[]; body: string };
    context.print(fields(rest));
    context.print(
      table(attempts, {
        attempt: column('number'),
        started: column('started_at'),
        ms: column('duration_ms'),
        status: column('status'),
        error: column('error'),
        code: column('code'),
        ...(attempts.some(({ batch_id: batch }) => batch != null) && { batch: column('batch_id') }),
      }),
    );
    for (const { number, response } of attempts) if (response) context.print(answerOf(number, response));
    context.print(body);
  });
}

function tailCommand(deliveries: Command, context: ToolContext): void {
  const tail = leaf(deliveries, 'tail', 'prints attempts to deliver as they end, until Ctrl-C', 'deliveries tail --status 5xx')
    .option('--form <id>', 'only attempts of this form')
    .option('--webhook <id>', 'only attempts of this webhook or subscription')
    .option('--status <status>', 'only attempts with this answer: a status such as 503, a class such as 5xx, or none');
  tail.action(() => tailAttempts(context, { ...tail.opts<TailOptions>(), json: isJson(tail) }));
}

interface Attempt extends Answer {
  number: number;
  batch_id?: string | null;
  response?: { content_type?: string; headers?: Record<string, string>; body: string; truncated: boolean; location?: string } | null;
}

/** The response of a subscriber. `delivery` has already replaced what could control the terminal. */
function answerOf(
  number: number,
  { content_type: type, headers = {}, body, truncated, location }: NonNullable<Attempt['response']>,
): string {
  const facts = [type, location === undefined ? undefined : `redirects to ${location}`, truncated ? 'only the beginning' : undefined];
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`Answer to attempt ${number}: ${facts.filter((fact) => fact !== undefined).join(', ')}`, ...lines, body].join('\n');
}

function explainCommand(deliveries: Command, context: ToolContext): void {
  const explain = leaf(
    deliveries,
    'explain',
    'says where a submission, an event or the events of a batch are, or why they went nowhere',
    'deliveries explain 0197f0c2-…',
  ).argument('<id>', 'of a submission, of an event (`event_id` of a delivery), or of a batch (`batch_id` of an attempt)');
  explain.action(async (id: string) => {
    const facts = await askServices(context, id);
    const findings = findingsOf(id, facts);
    if (isJson(explain)) return context.print(JSON.stringify({ id, findings, ...facts }));
    for (const { text } of findings) context.print(cell(text));
  });
}

/** Each service tells its part: what it stored, what it planned and sent, and who listens. */
async function askServices(context: ToolContext, id: string): Promise<Facts> {
  const { submission, waiting } = (await context.runCommand('submissions', ['explain', `--id=${id}`])) as Pick<
    Facts,
    'submission' | 'waiting'
  >;
  const announced = submission?.announced_at == null ? [] : [`--form=${submission.form_id}`, `--announced=${submission.announced_at}`];
  const { events, deliveries } = (await context.runCommand('delivery', ['explain', `--id=${id}`, ...announced])) as Pick<
    Facts,
    'events' | 'deliveries'
  >;
  const about = submission ?? events[0];
  const { listeners } =
    about === undefined
      ? { listeners: [] }
      : ((await context.runCommand('hooks', ['list-listeners', `--form=${about.form_id}`, `--instance=${about.instance_id}`])) as Pick<
          Facts,
          'listeners'
        >);
  return { submission, waiting, events, deliveries, listeners, lag: await lagOf(context) };
}

/** Asks the running `delivery`; a deployment of your own has this figure on its dashboard. */
async function lagOf(context: ToolContext): Promise<number | undefined> {
  try {
    const { health } = await context.running();
    const { body } = await context.fetchText(`${health.delivery ?? ''}/metrics`);
    const waiting = [...body.matchAll(/^sheaf_consumer_messages\{consumer="delivery-submissions(?:-more)?",state="waiting"\} (\d+)/gm)];
    return waiting.length === 0 ? undefined : waiting.reduce((sum, [, count]) => sum + Number(count), 0);
  } catch {
    return undefined;
  }
}

function redeliverCommand(deliveries: Command, context: ToolContext): void {
  const redeliver = withConfirmation(
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
    )
    .option('--reason <reason>', reasonHelp);
  redeliver.action(async (id: string | undefined) => {
    const options = redeliver.opts<Partial<Record<'from' | 'to' | 'form' | 'state' | 'reason', string>>>();
    const { from, to, form, state = 'failed', reason } = options;
    if (id === undefined && (from === undefined || to === undefined))
      throw new Failure('bad_request', '--from, --to: are required without the id of a delivery', 2);
    const target =
      id === undefined
        ? `all deliveries in state ${state}${reason === undefined ? '' : ` (${reason})`} from ${from ?? ''} to ${to ?? ''} for ${form === undefined ? 'all forms' : `the form ${form}`}`
        : `the delivery ${id}`;
    await confirm(context, redeliver, `Redeliver ${target}?`);
    const answer = await context.runCommand('delivery', [
      'redeliver',
      ...forwardedOptions(redeliver),
      ...(id === undefined ? [] : [`--id=${id}`]),
    ]);
    const leftOut = answer.left_out as string[];
    showOne(context, redeliver, answer);
    if (leftOut.length > 0)
      throw new Failure(
        'bad_request',
        `--from, --to: include more deliveries of ${leftOut.join(', ')} than can be redelivered at once; the others are being redelivered. Use a shorter period.`,
      );
  });
}
