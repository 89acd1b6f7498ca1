import { PublishCheck, VersionDiff, type ContentChanges, type PublishWarning } from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { param, type Services } from '../services';

const base = '/app/v1/forms/:id';

/** What changed between two versions of a form, and what publishing would change. */
export const publishCheck = ({ forms, submissions }: Services): Route[] => [
  route({
    method: 'post',
    path: `${base}/publish-check`,
    summary: 'Check what publishing a form would change',
    access: { scope: 'forms:read' },
    status: 200,
    reply: PublishCheck,
    errors: [400, 401, 403, 404],
    handle: async ({ call, params }) => {
      const id = param(params, 'id');
      const {
        changes,
        warnings,
        warning_details,
        affected_keys: keys,
        affected_options: options,
      } = await forms.checkPublication(call, { id });
      const isCounted = keys.length + options.length > 0;
      const counts = isCounted ? await submissions.countAnswers(call, { form_id: id, keys, options }) : nothingCounted;
      return {
        ...read(changes),
        warnings,
        warning_details: readDetails(warning_details),
        affected: affectedFields(counts),
        affected_options: affectedOptions(counts, options),
      };
    },
  }),
  route({
    method: 'get',
    path: `${base}/versions/:version/diff/:otherVersion`,
    summary: 'Compare two versions of a form',
    access: { scope: 'forms:read' },
    status: 200,
    reply: VersionDiff,
    errors: [401, 403, 404],
    handle: async ({ call, params }) => {
      const { changes, ...numbers } = await forms.diffVersions(call, {
        form_id: param(params, 'id'),
        version: param(params, 'version'),
        other_version: param(params, 'otherVersion'),
      });
      return { ...numbers, ...read(changes) };
    },
  }),
];

const read = (changes: Buffer) => JSON.parse(changes.toString()) as ContentChanges;

/** An earlier version of `forms` gives none. */
const readDetails = (details: Buffer) => (details.length === 0 ? [] : (JSON.parse(details.toString()) as PublishWarning[]));

type Counted = Awaited<ReturnType<Services['submissions']['countAnswers']>>;

const nothingCounted: Counted = { counts: [], options: [], complete: true };

const affectedFields = ({ counts, complete }: Counted) =>
  counts.map(({ key, submissions }) => ({ key, ...counted(submissions, complete) }));

/** An earlier version of `submissions` does not count options. */
const affectedOptions = ({ options: counts, complete }: Counted, affected: readonly { key: string; options: string[] }[]) =>
  affected.map(({ key, options }, index) => {
    const count = counts[index];
    return { key, options, ...(count ? counted(count.submissions, complete) : {}) };
  });

const counted = (submissions: number, isComplete: boolean) => (isComplete ? { submissions } : { submissions_at_least: submissions });
