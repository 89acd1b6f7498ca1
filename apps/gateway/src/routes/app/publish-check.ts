import { checkFormPublication, compareFormVersions, type ContentChanges, type PublishWarning } from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { asking, rowOf } from '../derived';
import { param, type Services } from '../services';

const checkRequest = asking(checkFormPublication);
const diffRequest = asking(compareFormVersions);

/** The changes between two versions of a form, and those that publishing would make. */
export const publishCheck = ({ forms, submissions }: Services): Route[] => [
  route({
    ...rowOf(checkFormPublication),
    handle: async ({ call, params }) => {
      const {
        changes,
        warnings,
        warning_details,
        affected_keys: keys,
        affected_options: options,
      } = await forms.checkPublication(call, checkRequest({ params }));
      const isCounted = keys.length + options.length > 0;
      const counts = isCounted ? await submissions.countAnswers(call, { form_id: param(params, 'id'), keys, options }) : nothingCounted;
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
    ...rowOf(compareFormVersions),
    handle: async ({ call, params }) => {
      const { changes, ...numbers } = await forms.diffVersions(call, diffRequest({ params }));
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
