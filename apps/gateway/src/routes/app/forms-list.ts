import { addFavorite, removeFavorite, searchForms } from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { asking, rowOf } from '../derived';
import type { Services } from '../services';
import { submissionCounts } from './submission-counts';

const searchRequest = asking(searchForms);
const favoriteRequest = asking(addFavorite);

/** Finds forms by their place, status and title, and keeps favorites. */
export const formsList = ({ forms, submissions }: Services): Route[] => [
  route({
    ...rowOf(searchForms),
    handle: async ({ call, params, query }) => {
      const { favorite = false, shared = false } = query;
      const {
        forms: found,
        total,
        total_at_least: atLeast,
        next_cursor: next,
      } = await forms.findForms(call, searchRequest({ params, query }, { favorite, shared }));
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
  ...[addFavorite, removeFavorite].map((operation) =>
    route({
      ...rowOf(operation),
      handle: ({ call, params }) => forms.setFavorite(call, favoriteRequest({ params }, { favorite: operation === addFavorite })),
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
