import { PublishCheck, VersionDiff, type ContentChanges } from '@sheaf/contracts';
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
      const { changes, warnings, affected_keys: keys } = await forms.checkPublication(call, { id });
      const affected = keys.length === 0 ? [] : affectedFields(await submissions.countAnswers(call, { form_id: id, keys }));
      return { ...read(changes), warnings, affected };
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

type Counted = Awaited<ReturnType<Services['submissions']['countAnswers']>>;

const affectedFields = ({ counts, complete }: Counted) =>
  counts.map(({ key, submissions }) => (complete ? { key, submissions } : { key, submissions_at_least: submissions }));
