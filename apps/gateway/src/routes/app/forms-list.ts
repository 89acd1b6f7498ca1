import { FormsListQuery, FoundForms } from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { param, type Services } from '../services';
import { submissionCounts } from './submission-counts';

/** Finds forms by their place, status and title, and keeps favorites. */
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
      const counts = await submissionCounts(
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
];

type FormMessage = Awaited<ReturnType<Services['forms']['getForm']>>;

const listed = (form: FormMessage) => ({
  id: form.id,
  title: form.title,
  slug: form.slug,
  status: form.status,
  opens_at: form.opens_at,
  closes_at: form.closes_at,
  max_submissions: form.max_submissions,
  current_version: form.current_version,
  folder_id: form.folder_id,
  favorite: form.favorite,
  role: form.role,
  created_at: form.created_at,
  updated_at: form.updated_at,
});
