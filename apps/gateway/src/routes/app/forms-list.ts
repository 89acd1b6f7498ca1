import { FormDetail, FormMoveRequest, FormsListQuery, FoundForms } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import type { Call } from '@sheaf/rpc';
import { route, type Route } from '../../route';
import { param, type Services } from '../services';

/** How long the list waits for the counts of its forms. */
const countsTimeoutMs = 2_000;

/** Finds forms by their place, status and title, and changes the place. */
export const formsList = ({ forms, submissions }: Services): Route[] => [
  route({
    method: 'get',
    path: '/app/v1/forms',
    summary: 'Search forms',
    access: { scope: 'forms:read' },
    query: FormsListQuery,
    status: 200,
    reply: FoundForms,
    errors: [400, 401],
    handle: async ({ call, query: { favorite = false, shared = false, ...query } }) => {
      const {
        forms: found,
        total,
        total_at_least: atLeast,
        next_cursor: next,
      } = await forms.findForms(call, { ...query, favorite, shared });
      const shown = found.flatMap(({ form, ...more }) => (form ? [{ form, ...more }] : []));
      const counts = await countsOf(
        { submissions },
        call,
        shown.map(({ form }) => form.id),
      );
      return {
        data: shown.map(({ form, ...more }) => ({ ...listed(form), ...more, ...counts(form.id) })),
        ...(total === undefined ? { total_at_least: atLeast } : { total }),
        next_cursor: next ?? null,
      };
    },
  }),
  ...(['put', 'delete'] as const).map((method) =>
    route({
      method,
      path: '/app/v1/forms/:id/favorite',
      summary: method === 'put' ? 'Add a form to the favorites' : 'Remove a form from the favorites',
      access: { scope: 'forms:write' },
      status: 204,
      errors: [401, 403, 404],
      handle: ({ call, params }) => forms.setFavorite(call, { id: param(params, 'id'), favorite: method === 'put' }),
    }),
  ),
  route({
    method: 'put',
    path: '/app/v1/forms/:id/workspace',
    summary: 'Move a form to another workspace',
    access: 'person',
    body: FormMoveRequest,
    status: 200,
    reply: FormDetail,
    errors: [400, 401, 403, 404],
    handle: ({ call, params, body }) => forms.moveForm(call, { id: param(params, 'id'), ...body }),
  }),
];

type FormMessage = Awaited<ReturnType<Services['forms']['getForm']>>;

const listed = ({ id, title, slug, status, favorite, current_version, folder_id, created_at, updated_at, role }: FormMessage) => ({
  id,
  title,
  slug,
  status,
  current_version,
  folder_id,
  favorite,
  role,
  created_at,
  updated_at,
});

/** The counts of a whole page, in one call. People can find their forms while `submissions` is down, so its failure is no failure of the list. */
async function countsOf({ submissions }: Pick<Services, 'submissions'>, call: Call, ids: string[]) {
  if (ids.length === 0) return () => ({ submissions: null });
  const deadline = Math.min(call.deadline, Date.now() + countsTimeoutMs);
  const summarized = await submissions.summarizeForms({ ...call, deadline }, { form_ids: ids }).catch((error: unknown) => {
    if (error instanceof Problem && error.code !== 'unavailable' && error.code !== 'internal_error') throw error;
    return { forms: [] };
  });
  const counts = new Map(summarized.forms.map((counted) => [counted.form_id, counted]));
  return (id: string) => {
    const counted = counts.get(id);
    if (!counted) return { submissions: null };
    return { submissions: { total: counted.total, new: counted.fresh }, last_submission_at: counted.last_submission_at };
  };
}
